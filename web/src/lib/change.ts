/**
 * `POST /api/answers/:id/cards/:card`: changes one thing on a card, or puts all of it back. What comes of it arrives by the feed of
 * changes. False when the server did not take it. Never rejects.
 */
export async function postChange(
  answer: string,
  card: string,
  change: { control: string; value: string } | null,
): Promise<boolean> {
  try {
    const response = await fetch(
      `/api/answers/${encodeURIComponent(answer)}/cards/${encodeURIComponent(card)}`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ change }),
      },
    );
    return response.ok;
  } catch {
    return false;
  }
}

import type { LedgerRow } from '../../../../shared/cards.ts';

/** "2 for, 1 against" of what is shown; why there is nothing. */
export function evidenceWords({
  proof,
  proofs,
  claimed,
}: Pick<LedgerRow, 'proof' | 'proofs' | 'claimed'>): string {
  if (proof.length === 0) return claimed === true ? 'no evidence, only the claim' : 'no evidence';
  const count = (polarity: string): number => proof.filter((one) => one.polarity === polarity).length;
  const parts = [
    [count('supports'), 'for'],
    [count('refutes'), 'against'],
    [count('void'), 'void'],
  ] as const;
  const words = parts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return proofs > proof.length ? `${words.join(', ')}, of ${proofs}` : words.join(', ');
}

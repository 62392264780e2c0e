import type { Transaction } from '../duck-transaction.ts';
import { sha256 } from '../ingest/read-source.ts';
import { cellsOf } from '../tables.ts';
import type { Price } from './price-list.ts';

/** Puts the prices in the place of those a record has. What is derived of them has to be made anew after that. */
export async function writePrices(transaction: Transaction, prices: readonly Price[]): Promise<void> {
  await transaction.run('DELETE FROM prices');
  await transaction.append(
    'prices',
    prices.map((price) => cellsOf('prices', price)),
  );
}

/** Hex digest of the prices: with others, the figures of a record are other ones. */
export const pricesDigest = (prices: readonly Price[]): string => sha256(JSON.stringify(prices));

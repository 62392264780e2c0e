import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LIMITS } from '../../../shared/limits.ts';
import { type Price, readPriceList, withOwnPrices } from './price-list.ts';

/** A price list that cannot be used; the message is for the person at the terminal, a line for each thing that is wrong. */
export class PriceListError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PriceListError';
  }
}

async function readList(path: string, source: string): Promise<Price[]> {
  const text = await stat(path)
    .then(async (file) => {
      if (!file.isFile() || file.size > LIMITS.priceBytes)
        throw new PriceListError(`${path} is not a price list: it is no file, or larger than 1 MB.`);
      return readFile(path, 'utf8');
    })
    .catch((error: unknown) => {
      if (error instanceof PriceListError) throw error;
      throw new PriceListError(`There is no price list ${path}, or it cannot be read.`);
    });
  const { prices, problems } = readPriceList(text.replace(/^\uFEFF/, ''), source);
  if (problems.length > 0)
    throw new PriceListError(
      problems.map(({ line, text: says }) => `${path}, line ${line}: ${says}`).join('\n'),
    );
  return prices;
}

/**
 * The prices that are bundled, and a person's own list over them.
 * @param folder the bundled lists, `*.json`
 * @param own path of a person's own list, or null
 * @throws PriceListError
 */
export async function loadPrices(folder: string, own: string | null): Promise<Price[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const bundled: Price[] = [];
  for (const name of names.slice(0, LIMITS.priceLists))
    bundled.push(...(await readList(join(folder, name), `prices/${basename(name, '.json')}`)));
  return own === null ? bundled : withOwnPrices(bundled, await readList(own, 'prices/own'));
}

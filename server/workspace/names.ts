import { basename, dirname } from 'node:path';

/** What a folder's project goes by: its id in addresses, its name, and its folder as people are shown it. */
export interface ProjectNames {
  id: string;
  name: string;
  /** The last two parts of the path: enough to tell folders apart, and no more of the machine than that. */
  label: string;
}

const ID_CHARS = 40;
const NAME_CHARS = 80;

/** Lower case letters, digits and single hyphens; other scripts leave nothing, and then it is "project". */
const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ID_CHARS)
    .replace(/^-|-$/g, '') || 'project';

/** The first of `text`, `text-2`, `text-3` … that is not taken; takes it. */
function unique(text: string, taken: Set<string>): string {
  let name = text;
  for (let n = 2; taken.has(name); n += 1) name = `${text}-${n}`;
  taken.add(name);
  return name;
}

const nameOf = (folder: string): string => basename(folder).slice(0, NAME_CHARS) || 'project';

/** The folder's name with that of the folder it stands in. */
const inParent = (folder: string): string => {
  const parent = basename(dirname(folder));
  return parent === '' ? nameOf(folder) : `${parent}/${nameOf(folder)}`;
};

/**
 * Names for folders, all different, in the order given. The same list of folders always has the same names.
 * @param folders absolute paths, each once
 */
export function namesOf(folders: readonly string[]): ProjectNames[] {
  const ids = new Set<string>();
  const names = new Set<string>();
  const plain = folders.map(nameOf);
  return folders.map((folder) => {
    const name = nameOf(folder);
    const alone = plain.filter((other) => other.toLowerCase() === name.toLowerCase()).length === 1;
    return {
      id: unique(slug(name), ids),
      name: unique(alone ? name : inParent(folder), names),
      label: inParent(folder),
    };
  });
}

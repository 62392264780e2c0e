import { isAbsolute, resolve } from 'node:path';

/**
 * Makes the paths among the arguments absolute. The word `replay` in the first place, flags, and the value of --speed are no
 * paths; a folder of that name is given as `./replay`.
 * @param {string[]} args what stands after the program's name
 * @param {string} from the folder relative paths start at
 */
export function resolvePaths(args, from) {
  return args.map((arg, index) => {
    const word = (index === 0 && arg === 'replay') || (args[0] === 'replay' && args[index - 1] === '--speed');
    return word || arg.startsWith('-') || isAbsolute(arg) ? arg : resolve(from, arg);
  });
}

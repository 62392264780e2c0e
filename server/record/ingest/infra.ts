/**
 * Words by which a machine says that it could not run something: the shell did not find the command or may not run it, memory
 * or disk was used up, a host could not be reached, a port was taken, a browser did not start.
 */
const INFRA =
  /\b(?:command not found|ENOENT|EACCES|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EADDRINUSE|ENOMEM|ENOSPC|out of memory|OOM[- ]?killed|no space left on device|could not resolve host|browser(?:type)?\.launch|executable doesn't exist)\b/i;

/** Whether a text (its beginning) is positive evidence that the machine failed, and not the code under test. */
export const isInfra = (text: string): boolean => INFRA.test(text.slice(0, 4_000));

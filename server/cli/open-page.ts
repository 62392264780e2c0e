/** What is known of where the program runs. */
export interface Surroundings {
  stdout: { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/** Whether somebody sits there to look at a page: a terminal, no build server, and a screen. */
export function canShowPage({ stdout, env, platform }: Surroundings): boolean {
  if (stdout.isTTY !== true || (env.CI !== undefined && env.CI !== '' && env.CI !== 'false')) return false;
  const bare = platform !== 'darwin' && platform !== 'win32';
  return !bare || (env.DISPLAY ?? '') !== '' || (env.WAYLAND_DISPLAY ?? '') !== '';
}

/** Opens an address in the person's browser. Never rejects: the address is printed anyway. */
export async function openPage(address: string): Promise<void> {
  try {
    const { default: open } = await import('open');
    const child = await open(address);
    child.once('error', () => undefined);
  } catch {
    // Without a browser there is the address.
  }
}

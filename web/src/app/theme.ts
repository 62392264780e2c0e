/** What a person can choose; `system` follows the machine. `public/theme.js` applies it before the first paint. */
export type ThemeChoice = 'system' | 'light' | 'dark';

const NAME = 'looplight-theme';
const NEXT: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

/** The choice that the next press of the toggle makes. */
export const nextChoice = (choice: ThemeChoice): ThemeChoice => NEXT[choice];

/** The choice in force. */
export function currentChoice(): ThemeChoice {
  const choice = document.documentElement.dataset.themeChoice;
  return choice === 'light' || choice === 'dark' ? choice : 'system';
}

/** Remembers a choice and applies it. Where storage is closed the page stays with the system's theme. */
export function choose(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, choice);
  } catch {
    return;
  }
  dispatchEvent(new Event(NAME));
}

// Sets the theme before the first paint, and keeps it: the person's choice, else the system's.
(() => {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => {
    try {
      const value = localStorage.getItem('looplight-theme');
      return value === 'light' || value === 'dark' ? value : 'system';
    } catch {
      return 'system';
    }
  };
  const apply = () => {
    const choice = chosen();
    root.dataset.themeChoice = choice;
    root.dataset.theme = choice === 'system' ? (dark.matches ? 'dark' : 'light') : choice;
  };
  dark.addEventListener('change', apply);
  addEventListener('storage', apply);
  addEventListener('looplight-theme', apply);
  apply();
})();

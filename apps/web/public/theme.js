// Shows the chosen theme before the first paint. packages/renderer/src/stores/settings.ts keeps the choice.
try {
  const theme = JSON.parse(localStorage.getItem('parley.theme') ?? 'null');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage that is forbidden or broken: the system's theme.
}

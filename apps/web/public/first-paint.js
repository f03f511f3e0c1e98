// Runs before the first paint: applies the chosen theme and picks the frame that index.html shows until
// the application takes over. packages/renderer/src/app (settings.ts, signed-in-username.ts) writes both keys.
{
  const read = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key) ?? 'null');
    } catch {
      // The storage is forbidden or broken, so the system's theme and the frame for guests apply.
      return null;
    }
  };
  const root = document.documentElement;
  const theme = read('parley.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

  const path = location.pathname;
  const isPublic = /^\/(?:register|forgot-pw|new-pw|account-deleted)\b/.test(path);
  const isSignedIn = typeof read('parley.signed-in') === 'string';
  if (path.startsWith('/privacy') || path.startsWith('/404')) root.dataset.frame = 'page';
  else if (isPublic || !isSignedIn) root.dataset.frame = 'form';
  else if (path.startsWith('/chatarea/chats/')) root.dataset.frame = 'room';
  else if (path === '/' || path.startsWith('/chatarea')) root.dataset.frame = 'chats';
  else root.dataset.frame = 'page';
}

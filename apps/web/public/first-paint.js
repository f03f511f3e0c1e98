// Runs before the first paint: applies the chosen theme, picks the frame that index.html shows until the
// application takes over, and the manifest in the user's language, and requests what the start needs next, while the
// application loads. packages/renderer/src writes the keys: app/device-settings.ts, app/signed-in-username.ts and
// i18n/initial-language.ts.
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
  if (theme === 'light' || theme === 'dark') {
    root.dataset.theme = theme;
    // The browser's bars have the color of the chosen theme, not of the system's.
    const colors = [...document.querySelectorAll('meta[name="theme-color"]')];
    const chosen = colors.find(({ media }) => media.includes(theme));
    for (const color of colors) color.content = chosen.content;
  }

  const manifest = document.querySelector('link[rel="manifest"]');
  const preferred = read('parley.language') ?? navigator.language.split('-')[0];
  const isOther = manifest.dataset.languages.split(' ').includes(preferred);
  if (isOther) manifest.href = `/manifest.${preferred}.webmanifest`;

  const path = location.pathname;
  const isPublic = /^\/(?:register|forgot-pw|new-pw|email-restore|account-deleted)\b/.test(path);
  const isSignedIn = typeof read('parley.signed-in') === 'string';
  if (path.startsWith('/privacy') || path.startsWith('/404')) root.dataset.frame = 'page';
  else if (isPublic || !isSignedIn) root.dataset.frame = 'form';
  else if (path.startsWith('/chatarea/chats/')) root.dataset.frame = 'room';
  else if (path === '/' || path.startsWith('/chatarea')) root.dataset.frame = 'chats';
  else root.dataset.frame = 'page';

  // scripts/preload-plugin.ts writes the templates. browser/early-responses.ts takes the responses.
  const words = (text) => text.split(' ').filter((word) => word !== '');
  const language = isOther ? preferred : root.lang;
  const facts = new Set([language, root.dataset.frame, isSignedIn ? 'user' : 'guest']);
  window.earlyResponses = new Map();
  for (const { content, dataset } of document.querySelectorAll('template[data-when]')) {
    if (!words(dataset.when).every((fact) => facts.has(fact))) continue;
    document.head.append(content);
    for (const path of words(dataset.requests)) {
      const response = fetch(path);
      // The application reports a failure when it takes the response.
      response.catch(() => undefined);
      window.earlyResponses.set(new URL(path, location.href).href, response);
    }
  }
}

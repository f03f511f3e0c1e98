import { expect, test, vi } from 'vitest';
import { createPushPort } from './push-port.ts';

/** What a page with push messages has. */
const PAGE = { isSecureContext: true, PushManager: {}, Notification: {} };
const SECURE = { isSecureContext: true };
const WORKERS = { serviceWorker: {} };

test.each<[string, string, object, object]>([
  ['a browser with all of it', 'supported', PAGE, WORKERS],
  ['a page without HTTPS', 'insecure', { isSecureContext: false }, {}],
  ['a browser without push messages', 'unsupported', { ...SECURE, Notification: {} }, WORKERS],
  ['an app on a home screen', 'unsupported', SECURE, { ...WORKERS, standalone: true }],
  ['an iPhone', 'needs-installation', SECURE, { ...WORKERS, standalone: false }],
])('finds whether push messages reach %s: %s', (_case, support, page, browser) => {
  vi.stubGlobal('window', page);
  vi.stubGlobal('navigator', browser);
  expect(createPushPort().support).toBe(support);
});

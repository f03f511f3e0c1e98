import { describe, expect, test } from 'vitest';
import { isOwnScreen, planOpen } from './navigation.ts';

const page = 'https://chat.example.org';

describe('navigating to', () => {
  test.each(['/', '/chatarea/chats/1', '/chatarea?x=1#y'])(
    '%s is allowed, as it is a screen of the page',
    (path) => {
      expect(isOwnScreen(page + path, page)).toBe(true);
    },
  );

  test.each([
    `${page}/media/x.svg`,
    `${page}/api/docs`,
    'https://evil.example/',
    'https://chat.example.org.evil.example/',
    'http://chat.example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'blob:https://chat.example.org/1',
    '',
  ])('%j is prevented', (url) => expect(isOwnScreen(url, page)).toBe(false));
});

describe('opening', () => {
  test.each(['https://example.org/a?b#c', 'http://example.org/', 'mailto:ada@example.org'])(
    '%s uses the system browser or mail program',
    (url) => expect(planOpen(url, page)).toEqual({ kind: 'external', url }),
  );

  test('a public page of the server uses the browser', () => {
    expect(planOpen(`${page}/privacy`, page).kind).toBe('external');
  });

  test.each(['/invite#code', '/chatarea/chats/1/messages/7', '/chatarea', '/settings'])(
    "%s on the server uses the app's window, and on another server the browser",
    (path) => {
      const url = page + path;
      expect(planOpen(url, page)).toEqual({ kind: 'screen', url });
      expect(planOpen(`https://other.example.org${path}`, page).kind).toBe('external');
      expect(planOpen(`http://chat.example.org${path}`, page).kind).toBe('external');
    },
  );

  test.each(['/media/x.png', '/api/exports/1/file'])(
    '%s downloads it with the session of the app',
    (path) => {
      const url = page + path;
      expect(planOpen(url, page)).toEqual({ kind: 'download', url });
      expect(planOpen(`https://other.example.org${path}`, page).kind).toBe('external');
    },
  );

  test.each([
    'file:///etc/passwd',
    'smb://host/share',
    'javascript:alert(1)',
    'vbscript:x',
    'ms-msdt:/id',
    'parley://chat/1',
    'data:text/html,x',
    'https://user:pass@example.org',
    'example.org',
    '',
  ])('%j is denied', (url) => expect(planOpen(url, page)).toEqual({ kind: 'deny' }));
});

import { afterEach, expect, test, vi } from 'vitest';
import { handleNotificationClick } from './notification-clicks.ts';
import type { ShownData } from './show-push.ts';

afterEach(() => vi.unstubAllGlobals());

const ORIGIN = 'https://parley.example';

/** Taps on a notification, or on its button with a reply, while no page is open. Returns the paths of the pages that are opened. */
async function tap(data: ShownData, clicked = { action: '', reply: '' }): Promise<string[]> {
  const opened: string[] = [];
  vi.stubGlobal('self', {
    location: { origin: ORIGIN },
    clients: {
      matchAll: async () => [],
      openWindow: async (path: string) => {
        opened.push(path);
        return null;
      },
    },
  });
  const notification = { data, close: () => undefined };
  await handleNotificationClick({ notification, ...clicked } as unknown as NotificationEvent);
  return opened;
}

test.each([
  [`${ORIGIN}/chatarea/chats/a/messages/1`, '/chatarea/chats/a/messages/1'],
  [`${ORIGIN}/chatarea/chats/a?reply`, '/chatarea/chats/a?reply'],
  ['/chatarea', '/chatarea'],
  ['https://example.org/chatarea', '/'],
  ['//example.org/chatarea', '/'],
  ['javascript:alert(1)', '/'],
  ['https://', '/'],
])('opens %s as %s of its own site', async (navigate, path) => {
  expect(await tap({ navigate })).toEqual([path]);
});

test.each(['', ' ', '\u200b', '\u3164\u2800'])(
  'opens the chatroom for the empty reply %j',
  async (reply) => {
    const data = { navigate: `${ORIGIN}/chatarea/chats/a`, chatroom: 'a' };
    expect(await tap(data, { action: 'reply', reply })).toEqual(['/chatarea/chats/a?reply=']);
  },
);

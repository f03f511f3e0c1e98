import { expect, test } from 'vitest';
import { chatPath, isPublicPath, newChatPath } from './paths.ts';

test.each(['/', '/register', '/register/verify/', '/forgot-pw', '/new-pw', '/privacy', '/invite'])(
  '%s is a public path',
  (path) => {
    expect(isPublicPath(path)).toBe(true);
  },
);

test.each(['/chatarea', '/settings', '/profile', '/about-us', '/registered', '/chatarea/chats/1'])(
  '%s is not a public path',
  (path) => {
    expect(isPublicPath(path)).toBe(false);
  },
);

test('escapes names and ids in paths', () => {
  expect(chatPath('a/b')).toBe('/chatarea/chats/a%2Fb');
  expect(newChatPath('Zoë')).toBe('/chatarea/chats/new-chatroom/Zo%C3%AB');
});

import { expect, test } from 'vitest';
import {
  chatPath,
  chatroomIdOfPath,
  galleryPath,
  isPublicPath,
  isStaticPath,
  newChatPath,
} from './paths.ts';

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

test('only About us can be shown before the user is known', () => {
  expect(['/about-us', '/about-us/', '/profile', '/chatarea'].map(isStaticPath)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('escapes names and ids in paths', () => {
  expect(chatPath('a/b')).toBe('/chatarea/chats/a%2Fb');
  expect(newChatPath('Zoë')).toBe('/chatarea/chats/new-chatroom/Zo%C3%AB');
});

test('finds the chatroom to which a path belongs', () => {
  expect(chatroomIdOfPath(chatPath('a/b'))).toBe('a/b');
  expect(chatroomIdOfPath(galleryPath('a'))).toBe('a');
  expect(chatroomIdOfPath(newChatPath('Zoë'))).toBeUndefined();
  expect(chatroomIdOfPath('/chatarea')).toBeUndefined();
});

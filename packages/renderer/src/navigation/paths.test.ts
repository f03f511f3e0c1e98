import { isLinkedScreen } from '@parley/contract';
import { expect, test } from 'vitest';
import {
  chatPath,
  chatroomIdOfPath,
  galleryPath,
  isPublicPath,
  isStaticPath,
  messagePath,
  newChatPath,
  PATHS,
  screenPath,
  seqOfPath,
} from './paths.ts';

test.each([
  '/',
  '/register',
  '/register/verify/',
  '/forgot-pw',
  '/new-pw',
  '/email-restore',
  '/privacy',
  '/invite',
])('%s is a public path', (path) => {
  expect(isPublicPath(path)).toBe(true);
});

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
  expect(chatroomIdOfPath(messagePath('a/b', 7))).toBe('a/b');
  expect(chatroomIdOfPath(newChatPath('Zoë'))).toBeUndefined();
  expect(chatroomIdOfPath('/chatarea')).toBeUndefined();
});

test('the path of a message shows its chatroom', () => {
  expect(messagePath('a', 7)).toBe('/chatarea/chats/a/messages/7');
  expect(screenPath(messagePath('a/b', 7))).toBe(chatPath('a/b'));
  expect(screenPath(galleryPath('a'))).toBe(galleryPath('a'));
});

test('finds the position of the message to which a path leads', () => {
  expect(seqOfPath(messagePath('a', 70))).toBe(70);
  for (const seq of ['0', '07', '-1', '1.5', 'x', '1'.repeat(16)]) {
    expect(seqOfPath(`${chatPath('a')}/messages/${seq}`)).toBe(0);
  }
  expect(seqOfPath(chatPath('a'))).toBeUndefined();
});

test('links in messages lead to invitations and the screens of users within the app', () => {
  const linked = Object.entries(PATHS).filter(([, path]) => isLinkedScreen(path));
  expect(linked.map(([name]) => name)).toEqual([
    'invite',
    'chats',
    'findUser',
    'chatroom',
    'message',
    'gallery',
    'newChatroom',
    'settings',
    'profile',
    'about',
  ]);
});

import { expect, test } from 'vitest';
import { isLinkedScreen } from './linked-screens.ts';

test.each([
  '/invite',
  '/chatarea',
  '/chatarea/exist',
  '/chatarea/chats/1/messages/7',
  '/settings',
  '/profile',
  '/about-us',
])('a link to %s opens within the app', (path) => {
  expect(isLinkedScreen(path)).toBe(true);
});

test.each([
  '/',
  '/privacy',
  '/register',
  '/share',
  '/invited',
  '/chatareas',
  '/media/1.png',
  '//a',
])('a link to %s opens no screen of the app', (path) => {
  expect(isLinkedScreen(path)).toBe(false);
});

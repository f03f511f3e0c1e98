import { expect, test } from 'vitest';
import { avatarUrl } from './avatar-url.ts';

const origin = 'https://chat.example.org';

test('an own avatar is on the server, with the name escaped', () => {
  expect(avatarUrl('/api/avatars/{name}.svg', 'Zoë/$&', origin)).toBe(
    'https://chat.example.org/api/avatars/Zo%C3%AB%2F%24%26.svg',
  );
});

test('a name that makes no address of a template makes no page fail', () => {
  const template = 'https://{name}.robots.example/';
  expect(avatarUrl(template, 'ada', origin)).toBe('https://ada.robots.example/');
  expect(avatarUrl(template, '٣٣', origin)).toBeUndefined();
});

test('an external service keeps its own origin', () => {
  expect(avatarUrl('https://robots.example/{name}?n={name}', 'ada', origin)).toBe(
    'https://robots.example/ada?n=ada',
  );
});

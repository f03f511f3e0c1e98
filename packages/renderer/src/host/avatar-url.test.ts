import { expect, test } from 'vitest';
import { avatarUrl } from './avatar-url.ts';

const origin = 'https://chat.example.org';

test('resolves a relative template against the server and escapes the name', () => {
  expect(avatarUrl('/api/avatars/{name}.svg', 'Zoë/$&', origin)).toBe(
    'https://chat.example.org/api/avatars/Zo%C3%AB%2F%24%26.svg',
  );
});

test('returns undefined for a name that does not form a valid URL', () => {
  const template = 'https://{name}.robots.example/';
  expect(avatarUrl(template, 'ada', origin)).toBe('https://ada.robots.example/');
  expect(avatarUrl(template, '٣٣', origin)).toBeUndefined();
});

test('keeps the origin of an external service', () => {
  expect(avatarUrl('https://robots.example/{name}?n={name}', 'ada', origin)).toBe(
    'https://robots.example/ada?n=ada',
  );
});

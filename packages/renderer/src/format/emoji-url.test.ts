import { expect, test } from 'vitest';
import { emojiStyles, emojiUrl } from './emoji-url.ts';

const ORIGIN = 'https://chat.example.org';
const PLACE = { emojiUrl: 'https://cdn.example/{style}/64/{code}.png' };

test('takes Twitter and Google pictures from the own server', () => {
  const url = emojiUrl('twitter', '2764-fe0f', PLACE, ORIGIN);
  expect(url).toBe('https://chat.example.org/api/emoji/twitter/2764.svg');
  expect(emojiUrl('google', '1f600', {}, ORIGIN)).toBe(`${ORIGIN}/api/emoji/google/1f600.svg`);
});

test('takes Apple and Facebook pictures from where the operator says, and from nowhere else', () => {
  const url = emojiUrl('apple', '2764-fe0f', PLACE, ORIGIN);
  expect(url).toBe('https://cdn.example/apple/64/2764-fe0f.png');
  expect(emojiUrl('facebook', '1f600', {}, ORIGIN)).toBeUndefined();
  expect(emojiStyles(PLACE)).toEqual(['native', 'twitter', 'google', 'apple', 'facebook']);
  expect(emojiStyles({})).toEqual(['native', 'twitter', 'google']);
});

test('has no pictures in the native style', () => {
  expect(emojiUrl('native', '1f600', PLACE, ORIGIN)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { emojiStyles, emojiUrl } from './emoji-url.ts';

const ORIGIN = 'https://chat.example.org';
const CONFIG = { emojiUrl: 'https://cdn.example/{style}/64/{code}.png' };

test('returns URLs of the Parley server for Twitter and Google emoji', () => {
  const url = emojiUrl('twitter', '2764-fe0f', CONFIG, ORIGIN);
  expect(url).toBe('https://chat.example.org/api/emoji/twitter/2764.svg');
  expect(emojiUrl('google', '1f600', {}, ORIGIN)).toBe(`${ORIGIN}/api/emoji/google/1f600.svg`);
});

test('returns URLs from the configured template for Apple and Facebook emoji, and none without a template', () => {
  const url = emojiUrl('apple', '2764-fe0f', CONFIG, ORIGIN);
  expect(url).toBe('https://cdn.example/apple/64/2764-fe0f.png');
  expect(emojiUrl('facebook', '1f600', {}, ORIGIN)).toBeUndefined();
  expect(emojiStyles(CONFIG)).toEqual(['native', 'twitter', 'google', 'apple', 'facebook']);
  expect(emojiStyles({})).toEqual(['native', 'twitter', 'google']);
});

test('returns no URL for the native style', () => {
  expect(emojiUrl('native', '1f600', CONFIG, ORIGIN)).toBeUndefined();
});

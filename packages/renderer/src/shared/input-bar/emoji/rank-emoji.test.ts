import { searchEmojis } from 'emoji-picker-react/data';
import german from 'emoji-picker-react/data/emojis-de';
import { expect, test } from 'vitest';
import { rankEmoji } from './rank-emoji.ts';

test('ranks emoji by how well their name matches the query, then by their keywords', () => {
  const names = rankEmoji(searchEmojis('cat'), 'Cat ').map(({ name }) => name);
  expect(names.slice(0, 2)).toEqual(['cat', 'cat with tears of joy']);
  expect(names.indexOf('cat face')).toBeLessThan(names.indexOf('grinning cat'));
  expect(names.indexOf('grinning cat')).toBeLessThan(names.indexOf('tiger'));
  expect(names.indexOf('tiger')).toBeLessThan(names.indexOf('hook'));
});

test('ranks German names the same way', () => {
  const [first] = rankEmoji(searchEmojis('katze', { emojiData: german }), 'katze');
  expect(first?.emoji).toBe('🐈');
});

test('keeps all emoji that were found', () => {
  const found = searchEmojis('a');
  expect(new Set(rankEmoji(found, 'a'))).toEqual(new Set(found));
});

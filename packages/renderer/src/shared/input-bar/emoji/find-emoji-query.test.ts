import { expect, test } from 'vitest';
import { findEmojiQuery } from './find-emoji-query.ts';

/** Returns the name at the cursor, which is at `|` or at the end. */
function nameAt(text: string): string | undefined {
  const [before = '', after = ''] = text.split('|');
  const query = findEmojiQuery(before + after, before.length);
  if (query) expect(before.slice(query.start)).toBe(`:${query.name}`);
  return query?.name;
}

test.each([
  [':ro', 'ro'],
  ['Hello :rocket', 'rocket'],
  ['(:ja', 'ja'],
  ['first line\n:thumbs_up', 'thumbs_up'],
  ['🚀:ra', 'ra'],
  [':ärg', 'ärg'],
  [':ro| later', 'ro'],
  [':ro|, later', 'ro'],
])('finds the name of an emoji in %j', (text, name) => {
  expect(nameAt(text)).toBe(name);
});

test.each([
  '',
  ':',
  ':p',
  ':D',
  ':-)',
  ':) ok',
  ':p1',
  'at 12:30',
  'Note:this',
  'https://example.org',
  'C:/folder:ab/:cd',
  '::ab',
  ':circassia:',
  ':ro cket',
  ':ro|cket',
  ':r|ocket',
  `:${'a'.repeat(100)}`,
])('finds no name of an emoji in %j', (text) => {
  expect(nameAt(text)).toBeUndefined();
});

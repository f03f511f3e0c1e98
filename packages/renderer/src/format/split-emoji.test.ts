import { emojiCode, fullEmojiCode } from '@parley/contract';
import { expect, test } from 'vitest';
import { splitEmoji } from './split-emoji.ts';

test.each([
  ['no emoji at all, 3 * 4 # and ©', []],
  ['Hi 👋!', ['👋']],
  ['👩‍💻👍🏽', ['👩‍💻', '👍🏽']],
  ['❤️ and 🇩🇪 and 3️⃣', ['❤️', '🇩🇪', '3️⃣']],
  ['👨‍👩‍👧‍👦😀', ['👨‍👩‍👧‍👦', '😀']],
  ['', []],
])('finds the emoji in "%s" and preserves the text', (text, emoji) => {
  const pieces = splitEmoji(text);
  expect(pieces.filter(({ isEmoji }) => isEmoji).map((piece) => piece.text)).toEqual(emoji);
  expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  for (const { offset, text: piece } of pieces) expect(text.startsWith(piece, offset)).toBe(true);
});

test.each([
  ['😀', '1f600', '1f600'],
  ['❤️', '2764', '2764-fe0f'],
  ['3️⃣', '0033-20e3', '0033-fe0f-20e3'],
  ['👁️‍🗨️', '1f441-200d-1f5e8', '1f441-fe0f-200d-1f5e8-fe0f'],
])('returns the codes of %s', (emoji, code, full) => {
  expect(emojiCode(emoji)).toBe(code);
  expect(fullEmojiCode(emoji)).toBe(full);
});

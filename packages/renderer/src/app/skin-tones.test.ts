import { expect, test } from 'vitest';
import { SKIN_TONES, withoutSkinTone, withSkinTone } from './skin-tones.ts';

test('adds a skin tone to emoji that have skin, and removes it', () => {
  expect(SKIN_TONES.map((tone) => withSkinTone('👍', tone))).toEqual([
    '👍',
    '👍🏻',
    '👍🏼',
    '👍🏽',
    '👍🏾',
    '👍🏿',
  ]);
  for (const emoji of ['❤️', '😃', ':circassia:']) expect(withSkinTone(emoji, '1f3ff')).toBe(emoji);
  for (const tone of SKIN_TONES) expect(withoutSkinTone(withSkinTone('🙏', tone))).toBe('🙏');
  expect(withoutSkinTone('❤️')).toBe('❤️');
});

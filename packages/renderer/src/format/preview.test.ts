import { describe, expect, it } from 'vitest';
import { createPreview, shorten } from './preview.ts';

const chatWithText = (content: string, isOwn = false) => ({
  last: { content, kind: 'text' as const, isOwn },
});

describe('createPreview', () => {
  it('shortens texts to 20 characters, to 80 on wide screens, and to half of that for own messages', () => {
    const long = 'x'.repeat(200);
    const lengthOf = (isOwn: boolean, isWide: boolean): number => {
      const preview = createPreview(chatWithText(long, isOwn), isWide);
      return preview.type === 'text' ? preview.text.length : 0;
    };
    expect([lengthOf(false, false), lengthOf(false, true)]).toEqual([21, 81]);
    expect([lengthOf(true, false), lengthOf(true, true)]).toEqual([11, 41]);
  });

  it('does not shorten texts that fit', () => {
    const exact = 'y'.repeat(20);
    expect(createPreview(chatWithText(exact), false)).toEqual({
      type: 'text',
      isOwn: false,
      text: exact,
    });
  });

  it('returns media without a text, and the text of kinds of newer versions', () => {
    const poll = { content: 'Lunch?', kind: 'poll', isOwn: false };
    expect(createPreview({ last: poll }, false)).toEqual({
      type: 'text',
      isOwn: false,
      text: 'Lunch?',
    });

    const last = { content: 'https://h/media/a.png', kind: 'image' as const, isOwn: true };
    expect(createPreview({ last }, false)).toMatchObject({
      type: 'media',
      isOwn: true,
      media: { bubble: 'image' },
    });
    expect(createPreview({ last: null }, true)).toEqual({ type: 'none' });
  });
});

describe('shorten', () => {
  it('does not split emoji, counts a custom emoji as one character and collapses whitespace', () => {
    expect(shorten('👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 2)).toBe('👨‍👩‍👧‍👦👨‍👩‍👧‍👦…');
    expect(shorten(':circassia:abc', 3)).toBe(':circassia:ab…');
    expect(shorten('one\ntwo   three', 20)).toBe('one two three');
  });

  it('keeps the direction of each line, also where it is cut', () => {
    expect(shorten('שלום!\nHello', 20)).toBe('\u2068שלום!\u2069 Hello');
    expect(shorten('Hello\nשלום עולם!', 10)).toBe('Hello \u2068שלום…\u2069');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emojiCount, segmentText, type Segment } from './segments.ts';

const links = (text: string): string[] =>
  segmentText(text).flatMap((segment) => (segment.type === 'link' ? [segment.href] : []));
const sourceOf = (segment: Segment): string =>
  segment.type === 'emoji' ? segment.shortcode : segment.text;

describe('segmentText', () => {
  it('finds links without the punctuation of the sentence around them', () => {
    expect(links('See https://a.example/x?y=1#z.')).toEqual(['https://a.example/x?y=1#z']);
    expect(links('(https://en.wikipedia.org/wiki/Robot_(disambiguation))')).toEqual([
      'https://en.wikipedia.org/wiki/Robot_(disambiguation)',
    ]);
    expect(links('www.example.org, or HTTP://Example.ORG!')).toEqual([
      'https://www.example.org/',
      'http://example.org/',
    ]);
    expect(links('write to ada@example.org or mailto:bob@example.org')).toEqual([
      'mailto:ada@example.org',
      'mailto:bob@example.org',
    ]);
  });

  it('scans links with many brackets in linear time', () => {
    const brackets = ')]'.repeat(100_000);
    expect(links(`http://a.example/${brackets}`)).toEqual(['http://a.example/']);
    expect(links(`http://a.example/[(${brackets}`)).toEqual(['http://a.example/[()]']);
  });

  it('does not create misleading links', () => {
    // Bidirectional control characters end a link.
    expect(links('https://evil.example/\u202Emoc.elpmaxe.doog')).toEqual(['https://evil.example/']);
    expect(links('https://a.example/\u2067x')).toEqual(['https://a.example/']);
    // Credentials that look like a host name.
    expect(links('https://good.example@evil.example/')).toEqual([]);
    expect(links('https://good.example%2F@evil.example')).toEqual([]);
    expect(links('https://:good@evil.example')).toEqual([]);
  });

  it('does not link other schemes', () => {
    for (const text of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
      'http://',
      'https://[',
      '@nobody',
      'a@b',
    ]) {
      expect(links(text)).toEqual([]);
    }
  });

  it('finds custom emoji', () => {
    expect(segmentText('Hi :circassia:!')).toEqual([
      { type: 'text', text: 'Hi ' },
      { type: 'emoji', shortcode: ':circassia:' },
      { type: 'text', text: '!' },
    ]);
    expect(segmentText(':CIRCASSIA:')).toEqual([{ type: 'text', text: ':CIRCASSIA:' }]);
  });

  it('preserves the text and creates only safe links', () => {
    const pieces = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('https://a.b/', ':circassia:', 'x@y.zz', 'javascript:', '(', ')', ' ', '.'),
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        const text = parts.join('');
        const segments = segmentText(text);
        expect(segments.map(sourceOf).join('')).toBe(text);
        for (const href of links(text)) expect(href).toMatch(/^(?:https?:\/\/|mailto:)/);
      }),
    );
  });
});

describe('emojiCount', () => {
  it('counts user-perceived emoji', () => {
    expect(emojiCount('👍')).toBe(1);
    expect(emojiCount('👨‍👩‍👧‍👦 ❤️ 🇩🇪 👍🏽 1️⃣')).toBe(5);
    expect(emojiCount(':circassia: :circassia:')).toBe(2);
  });

  it('returns 0 for texts without emoji, with other characters or with too many emoji', () => {
    for (const text of ['', ' ', 'hi 👍', '12', '#', '©', '👍'.repeat(7), 'x'.repeat(10_000)]) {
      expect(emojiCount(text)).toBe(0);
    }
  });
});

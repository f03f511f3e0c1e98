let segmenter: Intl.Segmenter | undefined;

/** Splits a text into user-perceived characters. A family emoji is one. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

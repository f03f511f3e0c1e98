let segmenter: Intl.Segmenter | undefined;

/** The characters of a text as a reader counts them: a family emoji is one. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

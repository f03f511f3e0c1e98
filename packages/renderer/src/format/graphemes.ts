const segmenters = new Map<string, Intl.Segmenter>();

/** The characters of a text as a reader counts them: a family emoji is one. */
export function graphemes(text: string): string[] {
  let segmenter = segmenters.get('grapheme');
  if (!segmenter) {
    segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    segmenters.set('grapheme', segmenter);
  }
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

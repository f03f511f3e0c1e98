import type { Excerpt } from '@parley/contract';
import { EmojiText } from '../../format/EmojiText.tsx';
import css from './Highlighted.module.css';
import { splitMatches } from './highlight.ts';

/** A text in which what was found is highlighted. */
export function Highlighted({ text, ranges }: Excerpt) {
  if (ranges.length === 0) return <EmojiText text={text} />;
  return splitMatches(text, ranges).map((piece) =>
    piece.isMatch ? (
      <mark key={piece.offset} className={css.match}>
        <EmojiText text={piece.text} />
      </mark>
    ) : (
      <EmojiText key={piece.offset} text={piece.text} />
    ),
  );
}

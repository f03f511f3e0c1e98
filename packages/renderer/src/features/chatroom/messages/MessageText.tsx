import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CustomEmojiImage, StyledEmoji } from '../../../format/EmojiText.tsx';
import { segmentText, type Segment } from '../../../format/segments.ts';
import { classNames } from '../../../ui/class-names.ts';
import css from './MessageText.module.css';

interface MessageTextProps {
  text: string;
  /** How many emoji, if there is nothing else in it: they are shown large. */
  emojiCount: number;
  /** The time, for the corner. */
  children: ReactNode;
}

/** Texts longer than this, in characters or lines, are folded at first. */
const FOLD_LENGTH = 1_800;
const FOLD_LINES = 30;

/** A message's text: links open safely, custom emoji are pictures, the direction is the text's own. */
export function MessageText({ text, emojiCount, children }: MessageTextProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const segments = useMemo(() => segmentText(text), [text]);
  const isFolded = !isOpen && (text.length > FOLD_LENGTH || text.split('\n').length > FOLD_LINES);
  return (
    <>
      <div
        className={classNames(css.text, emojiCount > 0 && css.emoji, isFolded && css.folded)}
        dir="auto"
        data-count={emojiCount || undefined}
      >
        {withOffsets(segments).map(([offset, segment]) => (
          <Piece key={offset} segment={segment} />
        ))}
        {!isFolded && children}
      </div>
      {isFolded && (
        <div className={css.fold}>
          <button type="button" className={css.more} onClick={() => setIsOpen(true)}>
            {t('message.showMore')}
          </button>
          {children}
        </div>
      )}
    </>
  );
}

function Piece({ segment }: { segment: Segment }) {
  if (segment.type === 'text') return <StyledEmoji text={segment.text} />;
  if (segment.type === 'emoji') return <CustomEmojiImage />;
  return (
    <a href={segment.href} target="_blank" rel="noopener noreferrer nofollow">
      {segment.text}
    </a>
  );
}

function withOffsets(segments: readonly Segment[]): [number, Segment][] {
  let offset = 0;
  return segments.map((segment) => {
    const start = offset;
    offset += segment.type === 'emoji' ? segment.shortcode.length : segment.text.length;
    return [start, segment];
  });
}

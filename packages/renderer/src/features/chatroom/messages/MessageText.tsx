import { directionOf, type TextRange } from '@parley/contract';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CIRCASSIA } from '../../../format/custom-emoji.ts';
import { CustomEmojiImage } from '../../../format/EmojiText.tsx';
import { segmentText, type Segment } from '../../../format/segments.ts';
import { Highlighted } from '../../../shared/search/Highlighted.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useChatroomMode } from '../chatroom-mode.ts';
import { rangesWithin, useMatches } from '../search/chatroom-highlights.ts';
import css from './MessageText.module.css';

interface MessageTextProps {
  text: string;
  /** Number of emoji in a text of only a few emoji, which are enlarged; 0 for any other text. */
  emojiCount: number;
  /** Whether Tab reaches its links and its button. */
  isTabStop: boolean;
  /** The message's time and state. */
  children: ReactNode;
}

/** Texts with more characters or lines than this are collapsed initially. */
const COLLAPSE_LENGTH = 1_800;
const COLLAPSE_LINES = 30;

/** A message's text with safe links, which are plain text in a message request, and images for custom emoji. Each of its lines has its own direction. */
export function MessageText({ text, emojiCount, isTabStop, children }: MessageTextProps) {
  const { t } = useTranslation();
  const [isExpanded, setIsExpanded] = useState(false);
  const segments = useMemo(() => segmentText(text), [text]);
  const matches = useMatches(text);
  const tabIndex = isTabStop ? 0 : -1;
  // A match would not be visible in the part that is hidden.
  const isCollapsed =
    !isExpanded &&
    matches.length === 0 &&
    (text.length > COLLAPSE_LENGTH || text.split('\n').length > COLLAPSE_LINES);
  return (
    <>
      <div
        className={classNames(css.text, emojiCount > 0 && css.emoji, isCollapsed && css.collapsed)}
        dir={timeDirectionOf(text)}
        data-count={emojiCount || undefined}
      >
        {withOffsets(segments).map(([offset, segment]) => (
          <Piece
            key={offset}
            segment={segment}
            offset={offset}
            matches={matches}
            tabIndex={tabIndex}
          />
        ))}
        {!isCollapsed && children}
      </div>
      {isCollapsed && (
        <div className={css.expander}>
          <button
            type="button"
            className={css.more}
            tabIndex={tabIndex}
            onClick={() => setIsExpanded(true)}
          >
            {t('message.showMore')}
          </button>
          {children}
        </div>
      )}
    </>
  );
}

/** Returns the direction of the last line, at whose end the time is. */
function timeDirectionOf(text: string): 'ltr' | 'rtl' {
  return directionOf(text.slice(text.lastIndexOf('\n') + 1).replaceAll(CIRCASSIA.shortcode, ''));
}

interface PieceProps {
  segment: Segment;
  /** Where the segment begins in the text. */
  offset: number;
  matches: readonly TextRange[];
  tabIndex: number;
}

function Piece({ segment, offset, matches, tabIndex }: PieceProps) {
  const { isQuiet } = useChatroomMode();
  if (segment.type === 'emoji') return <CustomEmojiImage />;
  const ranges = rangesWithin(matches, offset, offset + segment.text.length);
  const text = <Highlighted text={segment.text} ranges={ranges} />;
  if (segment.type === 'text' || isQuiet) return text;
  return (
    <a href={segment.href} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
      {text}
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

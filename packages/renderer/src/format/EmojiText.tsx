import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import flagUrl from '../assets/circassia.svg';
import { CIRCASSIA } from './custom-emoji.ts';
import { EmojiImage } from './EmojiImage.tsx';
import css from './EmojiText.module.css';
import { splitEmoji } from './split-emoji.ts';
import { useEmojiUrl } from './use-emoji-url.ts';

/** The image of a custom emoji, scaled to the surrounding text. */
export function CustomEmojiImage() {
  const { t } = useTranslation();
  return <img className={css.emoji} src={flagUrl} alt={t(CIRCASSIA.nameKey)} draggable={false} />;
}

/** A text with images for its custom emoji and its Unicode emoji in the chosen style. Links stay text. */
export function EmojiText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let offset = 0;
  for (const piece of text.split(CIRCASSIA.shortcode)) {
    if (offset > 0) parts.push(<CustomEmojiImage key={-offset} />);
    parts.push(<StyledEmoji key={offset} text={piece} />);
    offset += piece.length + CIRCASSIA.shortcode.length;
  }
  return parts;
}

/** A text with its Unicode emoji in the chosen style. */
export function StyledEmoji({ text }: { text: string }) {
  const urlOf = useEmojiUrl();
  if (urlOf === undefined) return text;
  return splitEmoji(text).map(({ offset, text: piece, isEmoji }) => {
    const url = isEmoji ? urlOf(piece) : undefined;
    return (
      <Fragment key={offset}>
        {url === undefined ? piece : <EmojiImage emoji={piece} url={url} />}
      </Fragment>
    );
  });
}

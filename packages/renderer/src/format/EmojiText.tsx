import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import flagUrl from '../assets/circassia.svg';
import { CIRCASSIA } from './custom-emoji.ts';
import css from './EmojiText.module.css';

/** The picture of a custom emoji, as large as the text around it. */
export function CustomEmojiImage() {
  const { t } = useTranslation();
  return <img className={css.emoji} src={flagUrl} alt={t(CIRCASSIA.nameKey)} draggable={false} />;
}

/** A text with its custom emoji shown as pictures; links stay text. */
export function EmojiText({ text }: { text: string }) {
  const parts: ReactNode[] = [];
  let offset = 0;
  for (const piece of text.split(CIRCASSIA.shortcode)) {
    if (offset > 0) parts.push(<CustomEmojiImage key={offset} />);
    parts.push(piece);
    offset += piece.length + CIRCASSIA.shortcode.length;
  }
  return parts;
}

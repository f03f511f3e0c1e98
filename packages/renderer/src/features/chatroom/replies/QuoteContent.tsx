import type { Quote } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { EmojiText } from '../../../format/EmojiText.tsx';
import { isTextKind, mediaViewOf } from '../../../format/message-kinds.ts';
import { useChatroomMode } from '../chatroom-mode.ts';
import { useMediaImage } from '../../../client/use-media-image.ts';
import css from './QuoteContent.module.css';
import { quoteName, quoteText } from './quote-text.ts';

interface QuoteContentProps {
  /** Undefined if it is not known. */
  quote: Quote | undefined;
  currentUsername: string;
  /** Replaces the name of the sender. */
  title?: string;
}

/** The sender, the first line and a small preview of a message that another one replies to. */
export function QuoteContent({ quote, currentUsername, title }: QuoteContentProps) {
  const { t } = useTranslation();
  const { isQuiet } = useChatroomMode();
  const name = title ?? (quote ? quoteName(quote, currentUsername, t) : '');
  const isOwn = quote?.username === currentUsername;
  const media = quote && mediaViewOf(quote.kind);
  // A request shows no images.
  const preview = media?.isPicture && !(isQuiet && !isOwn) ? quote?.content : undefined;
  return (
    <span className={css.quote} data-own={isOwn || undefined}>
      <span className={css.words}>
        {name !== '' && <span className={css.name}>{name}</span>}
        <span className={css.text} dir="auto" data-quiet={isQuietText(quote) || undefined}>
          {media && <media.icon />}
          <span>
            <EmojiText text={quoteText(quote, t)} />
          </span>
        </span>
      </span>
      {preview && <QuotePreview key={preview} content={preview} />}
    </span>
  );
}

/** Returns whether the text is not the message's own. */
function isQuietText(quote: Quote | undefined): boolean {
  return !quote || quote.isDeleted === true || !isTextKind(quote.kind);
}

function QuotePreview({ content }: { content: string }) {
  const { state, attributes } = useMediaImage(content);
  if (state === 'broken') return null;
  return (
    <img {...attributes} className={css.preview} data-state={state} alt="" width={40} height={40} />
  );
}

import type { MessageEntry } from '@parley/client';
import type { Message, Quote } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import type { MessageControls } from '../messages/menu/message-controls.ts';
import css from './MessageQuote.module.css';
import { QuoteContent } from './QuoteContent.tsx';
import { quoteName, quoteText } from './quote-text.ts';
import { useQuote } from './use-quote.ts';

interface MessageQuoteProps {
  message: Message | undefined;
  entry: MessageEntry | undefined;
  isTabStop: boolean;
  controls: MessageControls;
}

/** The quote in a message that is a reply, which jumps to the original. */
export function MessageQuote({ message, entry, isTabStop, controls }: MessageQuoteProps) {
  const { replyTo: reference, to } = entry ?? {};
  if (message?.replyTo) {
    const { replyTo, seq } = message;
    return (
      <QuoteButton
        quote={replyTo}
        isTabStop={isTabStop}
        onJump={() => controls.jump({ seq: replyTo.seq, messageId: replyTo.messageId }, seq)}
      />
    );
  }
  if (message || !reference || to?.chatroomId === undefined) return null;
  return (
    <UnsentQuote
      chatroomId={to.chatroomId}
      reference={reference}
      isTabStop={isTabStop}
      onJump={() => controls.jump(reference)}
    />
  );
}

interface UnsentQuoteProps extends Omit<QuoteButtonProps, 'quote'> {
  chatroomId: string;
  reference: NonNullable<MessageEntry['replyTo']>;
}

function UnsentQuote({ chatroomId, reference, ...rest }: UnsentQuoteProps) {
  return <QuoteButton quote={useQuote(chatroomId, reference)} {...rest} />;
}

interface QuoteButtonProps {
  quote: Quote | undefined;
  isTabStop: boolean;
  onJump: () => void;
}

function QuoteButton({ quote, isTabStop, onJump }: QuoteButtonProps) {
  const { t } = useTranslation();
  const { username } = useClient();
  const text = quoteText(quote, t);
  const name = quote ? quoteName(quote, username, t) : '';
  return (
    <button
      type="button"
      className={css.quote}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={name === '' ? t('reply.labelPlain', { text }) : t('reply.label', { name, text })}
      onClick={onJump}
    >
      <QuoteContent quote={quote} currentUsername={username} />
    </button>
  );
}

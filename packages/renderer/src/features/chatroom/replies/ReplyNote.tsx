import type { QuoteReference } from '@parley/client';
import { Reply, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { quoteName } from './quote-text.ts';
import { QuoteContent } from './QuoteContent.tsx';
import css from './ReplyNote.module.css';
import { useQuote } from './use-quote.ts';

interface ReplyNoteProps {
  chatroomId: string;
  replyTo: QuoteReference;
  onCancel: () => void;
}

/** The bar above the composer with the message to which the user replies and a cancel button. */
export function ReplyNote({ chatroomId, replyTo, onCancel }: ReplyNoteProps) {
  const { t } = useTranslation();
  const { username } = useClient();
  const quote = useQuote(chatroomId, replyTo);
  const name = quote ? quoteName(quote, username, t) : '';
  const isOwn = quote?.username === username;
  let title = t('reply.title');
  if (isOwn) title = t('reply.toYourself');
  else if (name !== '') title = t('reply.to', { name });
  return (
    <div className={classNames('fade-in', css.note)}>
      <Reply />
      <output className={css.words}>
        <QuoteContent quote={quote} currentUsername={username} title={title} />
      </output>
      <IconButton label={t('reply.cancel')} size="small" icon={<X />} onClick={onCancel} />
    </div>
  );
}

import type { Chat } from '@parley/client';
import { Forward } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { EmojiText } from '../../format/EmojiText.tsx';
import { createPreview } from '../../format/preview.ts';
import { classNames } from '../../ui/class-names.ts';
import css from './ChatRow.module.css';

interface PreviewLineProps {
  chat: Chat;
  isWide: boolean;
}

/**
 * The preview of the last message, with an arrow for own messages and a label for images and recordings. While the
 * partner is typing, it says so instead.
 */
export function PreviewLine({ chat, isWide }: PreviewLineProps) {
  const { t } = useTranslation();
  const isTyping = useClientState('activity', ({ typing }) => typing.has(chat.id));
  if (isTyping) {
    return (
      <span className={classNames(css.preview, css.typing)}>
        <span className={css.text}>{t('room.typing')}</span>
      </span>
    );
  }
  const preview = createPreview(chat, isWide);
  if (preview.type === 'none') {
    const isAccepted = chat.invitationAcceptedAt !== undefined;
    return (
      <span className={classNames(css.preview, css.none)}>
        <span className={classNames(css.text, isAccepted && css.twoFacts)}>
          {isAccepted ? t('chatList.acceptedInvitation') : t('chatList.noMessages')}
        </span>
      </span>
    );
  }
  const media = preview.type === 'media' ? preview.media : undefined;
  // Messages of newer versions may have no text.
  const text = preview.type === 'text' ? preview.text || t('message.newerKind') : '';
  return (
    <span className={css.preview}>
      {preview.isOwn && <OwnArrow />}
      {media && <media.icon />}
      {media ? (
        <span className={css.text}>{t(media.label.preview)}</span>
      ) : (
        <span className={css.text} dir="auto">
          {chat.status === 'request' ? text : <EmojiText text={text} />}
        </span>
      )}
    </span>
  );
}

function OwnArrow() {
  const { t } = useTranslation();
  return (
    <>
      <Forward className={css.own} />
      <span className="visually-hidden">{t('chatList.you')}</span>
    </>
  );
}

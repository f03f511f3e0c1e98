import { selectUnsentFiles, type Chat, type FileEntry } from '@parley/client';
import { UI } from '@parley/contract';
import { Forward, Image, Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { EmojiText } from '../../format/EmojiText.tsx';
import { createPreview, shorten } from '../../format/preview.ts';
import { reactionText } from '../../format/reaction-text.ts';
import { classNames } from '../../ui/class-names.ts';
import css from './ChatRow.module.css';

interface PreviewLineProps {
  chat: Chat;
  isWide: boolean;
  /** Whether the chat is open, which shows its draft itself. */
  isActive: boolean;
}

/**
 * That the partner is typing, or the user's draft, or the preview of the last message or a newer reaction, with an
 * arrow for own messages and a label for images and recordings.
 */
export function PreviewLine({ chat, isWide, isActive }: PreviewLineProps) {
  const { t } = useTranslation();
  const isTyping = useClientState('activity', ({ typing }) => typing.has(chat.id));
  const draft = useClientState('drafts', ({ drafts }) =>
    isActive ? '' : (drafts[chat.id]?.trim() ?? ''),
  );
  const hasChosenFiles = useClientState(
    'outbox',
    ({ entries }) => !isActive && selectUnsentFiles(entries, 'image', chat.id).some(isDraft),
  );
  if (isTyping) {
    return (
      <span className={classNames(css.preview, css.typing)}>
        <span className={css.text}>{t('room.typing')}</span>
      </span>
    );
  }
  if (draft !== '' || hasChosenFiles) {
    return (
      <span className={css.preview}>
        <span className={css.text}>
          <span className={css.draft}>{t('chatList.draft')}</span>{' '}
          <bdi>
            {draft === '' ? (
              t('chatList.draftImage')
            ) : (
              <EmojiText text={shorten(draft, isWide ? UI.previewWide : UI.previewNarrow)} />
            )}
          </bdi>
        </span>
      </span>
    );
  }
  const preview = createPreview(chat, isWide);
  switch (preview.type) {
    case 'none':
      return (
        <span className={classNames(css.preview, css.none)}>
          <span className={css.text}>{t('chatList.noMessages')}</span>
        </span>
      );
    case 'text':
      return (
        <span className={css.preview}>
          {preview.isOwn && <OwnArrow />}
          <span className={css.text}>
            <bdi>{chat.isRequest ? preview.text : <EmojiText text={preview.text} />}</bdi>
          </span>
        </span>
      );
    case 'reaction':
      return (
        <span className={css.preview}>
          <span className={css.text}>
            <bdi>
              <EmojiText text={reactionText(preview.emoji, preview.kind, preview.text, t)} />
            </bdi>
          </span>
        </span>
      );
    default:
      return (
        <span className={css.preview}>
          {preview.isOwn && <OwnArrow />}
          {preview.type === 'image' ? <Image aria-hidden="true" /> : <Mic aria-hidden="true" />}
          <span className={css.text}>
            {t(preview.type === 'image' ? 'chatList.sentImage' : 'chatList.sentAudio')}
          </span>
        </span>
      );
  }
}

function isDraft({ state }: FileEntry): boolean {
  return state === 'draft';
}

function OwnArrow() {
  const { t } = useTranslation();
  return (
    <>
      <Forward className={css.own} aria-hidden="true" />
      <span className="visually-hidden">{t('chatList.you')}</span>
    </>
  );
}

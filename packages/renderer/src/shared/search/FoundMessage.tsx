import type { ListedChat } from '@parley/client';
import type { Message, SearchConditions, SearchHit } from '@parley/contract';
import type { Language } from '@parley/texts';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../client/client-context.ts';
import { formatDuration, formatFull, formatWhen } from '../../format/dates.ts';
import { isPictureKind, mediaViewOf, type MediaKindView } from '../../format/message-kinds.ts';
import { useMediaImage } from '../../client/use-media-image.ts';
import { Avatar, type AvatarSize } from '../../ui/Avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Highlighted } from './Highlighted.tsx';
import { excerptOf } from './hit-excerpt.ts';
import css from './results.module.css';

interface FoundMessageProps {
  hit: SearchHit;
  conditions: SearchConditions;
  /** The chat of the message. Undefined if it is not listed. */
  chat: ListedChat | undefined;
  language: Language;
  today: Date;
  size?: AvatarSize;
}

/** A message that was found: its chat, date and sender, and the text around what was found. */
export function FoundMessage(props: FoundMessageProps) {
  const { hit, conditions, chat, language, today, size = 40 } = props;
  const { t } = useTranslation();
  const { username } = useClient();
  const { message } = hit;
  const sender = message.sender.username;
  const media = mediaViewOf(message.kind);
  const isOwn = sender === username;
  const isDeleted = chat?.isDeleted === true;
  const partner = chat?.names.join(', ') || (isOwn ? '' : sender);
  const name = isDeleted ? t('chatList.deletedAccount') : partner || t('chatList.noUsername');
  return (
    <span className={css.result}>
      <Avatar name={isDeleted ? undefined : partner} size={size} />
      <span className={css.words}>
        <span className={css.line}>
          <bdi className={classNames(css.name, isDeleted && css.deleted)}>{name}</bdi>
          <time
            className={css.time}
            dateTime={message.createdAt}
            title={formatFull(message.createdAt, language)}
          >
            {formatWhen(message.createdAt, language, today)}
          </time>
        </span>
        <span className={css.text}>
          <bdi className={css.sender}>
            {isOwn ? t('chatList.you') : t('search.from', { name: sender })}
          </bdi>{' '}
          {media ? (
            <MediaLabel media={media} message={message} />
          ) : (
            <bdi>
              <Highlighted {...excerptOf(hit, conditions)} />
            </bdi>
          )}
        </span>
      </span>
      {/* A request shows no images. */}
      {isPictureKind(message.kind) && !message.media?.isBlocked && chat?.status !== 'request' && (
        <Thumbnail key={message.content} content={message.content} />
      )}
    </span>
  );
}

function MediaLabel({ media, message }: { media: MediaKindView; message: Message }) {
  const { t } = useTranslation();
  const duration = message.media?.duration;
  return (
    <span className={css.media}>
      <media.icon />
      {t(media.label.result)}
      {duration !== undefined && ` ${formatDuration(duration / 1_000)}`}
    </span>
  );
}

function Thumbnail({ content }: { content: string }) {
  const { state, attributes } = useMediaImage(content);
  if (state === 'broken') return null;
  return (
    <img
      {...attributes}
      className={css.thumbnail}
      data-state={state}
      alt=""
      width={44}
      height={44}
    />
  );
}

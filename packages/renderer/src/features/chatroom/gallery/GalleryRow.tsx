import type { Message } from '@parley/contract';
import { MessageSquareText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { formatFull, formatWhen } from '../../../format/dates.ts';
import { useToday } from '../../../format/use-clock.ts';
import { useLanguage } from '../../../i18n/use-language.ts';
import { messagePath } from '../../../navigation/paths.ts';
import { IconLink } from '../../../ui/IconLink.tsx';
import css from './GalleryRow.module.css';

interface GalleryRowProps {
  message: Message;
  partnerName: string;
  children: ReactNode;
}

/** A recording or a link with its sender and time, and a link to its message. */
export function GalleryRow({ message, partnerName, children }: GalleryRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const today = useToday();
  const { username } = useClient();
  const { createdAt, sender, chatroom, seq } = message;
  return (
    <li className={css.row}>
      <div className={css.content}>
        {children}
        <p className={css.meta}>
          <bdi>{sender.username === username ? t('reply.you') : partnerName}</bdi>
          <time dateTime={createdAt} title={formatFull(createdAt, language)}>
            {formatWhen(createdAt, language, today)}
          </time>
        </p>
      </div>
      <IconLink
        to={messagePath(chatroom, seq)}
        label={t('gallery.showInChat')}
        side="left"
        icon={<MessageSquareText />}
      />
    </li>
  );
}

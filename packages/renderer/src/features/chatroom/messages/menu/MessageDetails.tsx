import { deliveryOf } from '@parley/client';
import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../../client/client-context.ts';
import { useDateFormat } from '../../../../format/use-date-format.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import type { MenuSubject } from './message-menu-entries.ts';
import css from './MessageDetails.module.css';

interface MessageDetailsProps {
  subject: Pick<MenuSubject, 'message' | 'entry' | 'isOwn'>;
  finalFocus: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** A dialog with the dates and times of a message, and how far an own one has come. */
export function MessageDetails({ subject, finalFocus, onClose }: MessageDetailsProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { message, entry, isOwn } = subject;
  const receipt = useClientState(
    'chats',
    ({ chats }) => chats.find(({ id }) => id === message?.chatroom)?.receipt,
  );
  const state = message ? deliveryOf(message.seq, receipt) : (entry?.state ?? 'waiting');
  const times: [label: string, time: string][] = message
    ? [[t('message.sentAt'), message.createdAt]]
    : [[t('message.writtenAt'), entry?.createdAt ?? '']];
  if (message && message.updatedAt !== message.createdAt) {
    times.push([t('message.editedAt'), message.updatedAt]);
  }
  return (
    <Dialog
      title={t('message.detailsTitle')}
      onClose={onClose}
      finalFocus={finalFocus}
      isDismissible
      closeLabel={t('ui.close')}
    >
      <dl className={css.facts}>
        {times.map(([label, time]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <time dateTime={time}>{format.full(time)}</time>
            </dd>
          </div>
        ))}
        {isOwn && (
          <div>
            <dt>{t('message.state')}</dt>
            <dd>{t(`message.${state}`)}</dd>
          </div>
        )}
      </dl>
    </Dialog>
  );
}

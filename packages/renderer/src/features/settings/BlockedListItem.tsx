import type { BlockedList } from '@parley/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useClient } from '../../client/client-context.ts';
import { formatDate, formatFull } from '../../format/dates.ts';
import { useLanguage } from '../../i18n/use-language.ts';
import { chatPath } from '../../navigation/paths.ts';
import { chatActionErrorText } from '../../shared/screen/chat-action-error-text.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import css from './PeopleList.module.css';

interface BlockedListItemProps {
  person: BlockedList['blocked'][number];
  onUnblocked: () => void;
}

/** A person whom the user has blocked, with a link to the chat. */
export function BlockedListItem({ person, onUnblocked }: BlockedListItemProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const client = useClient();
  const [isBusy, setIsBusy] = useState(false);
  const { chatId, username, isDeletedAccount, blockedAt } = person;
  const name = isDeletedAccount ? t('room.deletedName') : username;

  async function unblock(): Promise<void> {
    setIsBusy(true);
    try {
      await client.unblock(chatId);
      toastSuccess(t('block.undone', { name }));
      onUnblocked();
    } catch (error) {
      toastError(chatActionErrorText(t, error));
      setIsBusy(false);
    }
  }

  return (
    <li className={css.item}>
      <Avatar name={isDeletedAccount ? undefined : username} size={40} />
      <div className={css.content}>
        <div className={css.person}>
          <p className={css.name}>
            <Link to={chatPath(chatId)} dir="auto">
              {name}
            </Link>
          </p>
          <p className={css.notes}>
            <time dateTime={blockedAt} title={formatFull(blockedAt, language)}>
              {t('settings.blockedSince', { date: formatDate(blockedAt, language) })}
            </time>
          </p>
        </div>
        <Button
          variant="secondary"
          isBusy={isBusy}
          aria-label={t('settings.unblockPerson', { name })}
          onClick={() => void unblock()}
        >
          {t('settings.unblock')}
        </Button>
      </div>
    </li>
  );
}

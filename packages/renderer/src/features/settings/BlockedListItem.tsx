import type { BlockedList } from '@parley/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useClient } from '../../client/client-context.ts';
import { useDateFormat } from '../../format/use-date-format.ts';
import { chatPath } from '../../navigation/paths.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { toastSuccess } from '../../ui/show-toast.ts';
import css from './PeopleList.module.css';

interface BlockedListItemProps {
  person: BlockedList['blocked'][number];
  onUnblocked: () => void;
}

/** A person whom the user has blocked, with a link to the chat. */
export function BlockedListItem({ person, onUnblocked }: BlockedListItemProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const client = useClient();
  const { chatId, username, isDeletedAccount, blockedAt } = person;
  const name = isDeletedAccount ? t('room.deletedName') : username;

  function unblock(): void {
    client.unblock(chatId);
    toastSuccess(t('block.undone', { name }));
    onUnblocked();
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
            <time dateTime={blockedAt} title={format.full(blockedAt)}>
              {t('settings.blockedSince', { date: format.date(blockedAt) })}
            </time>
          </p>
        </div>
        <Button
          variant="secondary"
          aria-label={t('settings.unblockPerson', { name })}
          onClick={unblock}
        >
          {t('block.unblock')}
        </Button>
      </div>
    </li>
  );
}

import { ApiError } from '@parley/client';
import type { Invitation } from '@parley/contract';
import { UserRound, UsersRound } from 'lucide-react';
import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../app/app-context.ts';
import { useDateFormat } from '../../format/use-date-format.ts';
import { loadErrorText } from '../../shared/screen/load-error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toastError, toastSuccess } from '../../ui/show-toast.ts';
import css from './PeopleList.module.css';

interface InvitationListItemProps {
  invitation: Invitation;
  /** Gets the focus after the invitation was revoked. */
  heading: RefObject<HTMLElement | null>;
  onShow: () => void;
  onRevoked: () => void;
}

/** An invitation of the user. */
export function InvitationListItem({
  invitation,
  heading,
  onShow,
  onRevoked,
}: InvitationListItemProps) {
  const { t } = useTranslation();
  const format = useDateFormat();
  const { note, isSingleUse, createdAt, expiresAt } = invitation;
  const date = format.date(expiresAt);
  const kind = isSingleUse ? t('invite.once') : t('invite.untilDate', { date });
  const name = note === '' ? kind : note;
  const values = { name, date: format.when(createdAt) };
  const Icon = isSingleUse ? UserRound : UsersRound;
  const revoking = useRevoke(invitation, heading, onRevoked);

  return (
    <li className={css.item}>
      <Icon className={css.icon} />
      <div className={css.content}>
        <div className={css.details}>
          <p className={css.name}>
            <bdi>{name}</bdi>
          </p>
          <p className={css.notes}>
            {note !== '' && <span>{kind}</span>}
            {isSingleUse && (
              <time dateTime={expiresAt} title={format.full(expiresAt)}>
                {t('invitation.until', { date })}
              </time>
            )}
            <time dateTime={createdAt} title={format.full(createdAt)}>
              {t('settings.invitationCreated', { date: format.date(createdAt) })}
            </time>
          </p>
        </div>
        <div className={css.buttons}>
          <Button
            variant="secondary"
            aria-label={t('settings.invitationShowOf', values)}
            onClick={onShow}
          >
            {t('settings.invitationShow')}
          </Button>
          <Button
            variant="ghost"
            aria-label={t('settings.invitationRevokeOf', values)}
            onClick={(event) => revoking.ask(event.currentTarget)}
          >
            {t('invite.revoke')}
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={revoking.isAsking}
        onOpenChange={(isOpen) => !isOpen && revoking.cancel()}
        title={t('settings.invitationRevokeTitle')}
        text={t('settings.invitationRevokeText')}
        confirmLabel={t('invite.revoke')}
        cancelLabel={t('app.cancel')}
        onConfirm={revoking.confirm}
        danger
        isBusy={revoking.isBusy}
        finalFocus={revoking.finalFocus}
      />
    </li>
  );
}

/** Returns the state of the confirmation dialog and its actions. */
function useRevoke(
  { id }: Invitation,
  heading: RefObject<HTMLElement | null>,
  onRevoked: () => void,
) {
  const { t } = useTranslation();
  const api = useApi();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const finalFocus = useRef<HTMLElement>(null);

  async function revoke(): Promise<void> {
    setIsBusy(true);
    try {
      await api.call('revokeInvitation', { params: { id } }).catch(ignoreNotFound);
      // The button that opened the dialog disappears.
      finalFocus.current = heading.current;
      toastSuccess(t('settings.invitationRevoked'));
      onRevoked();
    } catch (error) {
      toastError(loadErrorText(t, error));
    }
    setIsBusy(false);
    setIsAsking(false);
  }

  return {
    isAsking,
    isBusy,
    finalFocus,
    ask: (button: HTMLElement) => {
      finalFocus.current = button;
      setIsAsking(true);
    },
    cancel: () => setIsAsking(false),
    confirm: () => void revoke(),
  };
}

/** An invitation that has been used or revoked already is gone as well. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 404) throw error;
}

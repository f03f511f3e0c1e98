import { Check, Copy, UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../app/app-context.ts';
import { copyText } from '../../browser/copy-text.ts';
import { usePublicConfig } from '../../host/host-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import css from './FirstSteps.module.css';
import type { Inviting } from './use-invite-dialog.tsx';

/** The ways to the first chat, and the user's own name to pass on. */
export function FirstSteps({ invite }: Pick<Inviting, 'invite'>) {
  const { t } = useTranslation();
  const { userInvitations } = usePublicConfig();
  // Older servers have no invitations by users.
  const canInvite = userInvitations !== undefined;
  return (
    <div className={css.steps}>
      {canInvite && (
        <Button icon={<UserRoundPlus />} onClick={({ currentTarget }) => invite(currentTarget)}>
          {t('frame.invite')}
        </Button>
      )}
      <LinkButton variant={canInvite ? 'secondary' : 'primary'} to={PATHS.findUser}>
        {t('findUser.open')}
      </LinkButton>
      <OwnName />
    </div>
  );
}

/** The user's own name, which a tap copies. */
function OwnName() {
  const { t } = useTranslation();
  const { username } = useUser();
  const [isCopied, setIsCopied] = useState<boolean>();
  const copy = async (): Promise<void> => setIsCopied(await copyText(username));
  return (
    <p className={css.own}>
      {t('invitation.ownName')}{' '}
      <button
        type="button"
        className={css.name}
        aria-label={t('invitation.copyName', { name: username })}
        onClick={() => void copy()}
      >
        <bdi>{username}</bdi>
        {isCopied ? <Check /> : <Copy />}
      </button>
      <output className={isCopied === false ? undefined : 'visually-hidden'}>
        {isCopied === true && t('invitation.nameCopied')}
        {isCopied === false && t('invitation.nameNotCopied')}
      </output>
    </p>
  );
}

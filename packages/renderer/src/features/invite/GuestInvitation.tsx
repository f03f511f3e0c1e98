import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasEverSignedIn } from '../../app/signed-in-username.ts';
import { PATHS } from '../../navigation/paths.ts';
import { clearReturnTo, saveReturnTo } from '../../navigation/return-to.ts';
import { LinkButton } from '../../ui/LinkButton.tsx';
import css from './InvitePage.module.css';

interface GuestInvitationProps {
  code: string;
  /** Name of the user who invites. */
  inviter: string;
  /** Whether the invitation allows registration. */
  canRegister: boolean;
}

/** The ways from an invitation to an account. The login returns to the invitation. */
export function GuestInvitation({ code, inviter, canRegister }: GuestInvitationProps) {
  const { t } = useTranslation();
  const [isKnown] = useState(hasEverSignedIn);
  const isLoginFirst = isKnown || !canRegister;

  const register = canRegister && (
    <LinkButton
      variant={isLoginFirst ? 'secondary' : 'primary'}
      to={`${PATHS.register}#invitation=${code}`}
      state={{ inviter }}
      // The chat starts with the registration. The invitation may be used up afterwards.
      onClick={clearReturnTo}
    >
      {t('invite.register')}
    </LinkButton>
  );
  const login = (
    <LinkButton
      variant={isLoginFirst ? 'primary' : 'secondary'}
      to={PATHS.login}
      onClick={() => saveReturnTo(`${PATHS.invite}#${code}`)}
    >
      {t('invite.login')}
    </LinkButton>
  );
  return (
    <>
      <p className={css.text}>{canRegister ? t('invite.text') : t('invite.textLogin')}</p>
      <div className={css.actions}>
        {!isLoginFirst && register}
        {login}
        {isLoginFirst && register}
      </div>
    </>
  );
}

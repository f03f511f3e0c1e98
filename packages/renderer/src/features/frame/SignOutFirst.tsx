import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useUser } from '../../app/app-context.ts';
import { useClient } from '../../client/client-context.ts';
import { ClientProvider } from '../../client/ClientProvider.tsx';
import { PATHS } from '../../navigation/paths.ts';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Button } from '../../ui/Button.tsx';
import { SignOutDialog } from './SignOutDialog.tsx';
import css from './SignOutFirst.module.css';
import { useSignOut } from './use-sign-out.ts';

/** What a user sees in place of the form for the new password of another account, which logging out shows. */
export function SignOutFirst() {
  return (
    <ClientProvider>
      <SignOutCard />
    </ClientProvider>
  );
}

function SignOutCard() {
  const { t } = useTranslation();
  const { username } = useUser();
  const { isBusy, signOut, ...question } = useSignOut();
  const isOutboxLoaded = useIsOutboxLoaded();
  const titleRef = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <AuthFrame
      title={t('newPassword.title')}
      titleRef={titleRef}
      lead={t('newPassword.signOutFirst', { name: username })}
      links={<Link to={PATHS.chats}>{t('invite.toChats')}</Link>}
    >
      <div className={css.action}>
        <Button size="large" isBusy={isBusy || !isOutboxLoaded} onClick={signOut}>
          {t('frame.logout')}
        </Button>
      </div>
      <SignOutDialog {...question} />
    </AuthFrame>
  );
}

/** Returns whether it is known what would be lost. The client has only just been started for this page. */
function useIsOutboxLoaded(): boolean {
  const { outboxLoaded } = useClient();
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    void outboxLoaded.then(() => setIsLoaded(true));
  }, [outboxLoaded]);
  return isLoaded;
}

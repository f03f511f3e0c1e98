import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useSession } from '../../app/app-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { clearReturnTo } from '../../navigation/return-to.ts';
import { AuthFrame } from '../../shared/account-forms/AuthFrame.tsx';
import { LoadError } from '../../shared/screen/LoadError.tsx';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { LoadingText } from '../../ui/LoadingText.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AcceptInvitation } from './AcceptInvitation.tsx';
import { GuestInvitation } from './GuestInvitation.tsx';
import css from './InvitePage.module.css';
import { useInvitation, type InvitationState } from './use-invitation.ts';

/** `/invite#<code>`: a user's invitation, for guests and users. */
export function InvitePage() {
  const code = /^#([\w-]*)/.exec(useLocation().hash)?.[1] ?? '';
  return <InvitationOf key={code} code={code} />;
}

function InvitationOf({ code }: { code: string }) {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  const titleRef = useFocusOnNavigation<HTMLHeadingElement>();
  const { invitation, retry, invalidate } = useInvitation(code);
  const isReady = invitation.status === 'ready';
  const isOwn = isReady && invitation.username === user?.username;

  // The user has returned from the login.
  const isSignedIn = user !== undefined;
  useEffect(() => {
    if (isSignedIn) clearReturnTo();
  }, [isSignedIn]);

  let title = t('invite.page');
  if (isOwn) title = t('invite.own');
  else if (isReady) title = t('invite.title', { name: invitation.username });

  // The focused button disappears.
  const focusTitle = (): void => titleRef.current?.focus();

  return (
    <AuthFrame
      title={title}
      titleRef={titleRef}
      isCentered
      picture={<Picture invitation={invitation} />}
    >
      {/* Announces the title once the invitation has loaded. */}
      <output className="visually-hidden">{isReady && title}</output>
      {invitation.status === 'loading' && (
        <div className={css.loading}>
          <LoadingText label={t('invite.loading')} />
        </div>
      )}
      {invitation.status === 'failed' && (
        <LoadError
          title={t('invite.loadFailed')}
          error={invitation.error}
          onRetry={() => {
            focusTitle();
            retry();
          }}
        />
      )}
      {invitation.status === 'invalid' && <InvalidInvitation isSignedIn={isSignedIn} />}
      {isOwn && <OwnInvitation />}
      {isReady && user && !isOwn && (
        <AcceptInvitation
          code={code}
          ownName={user.username}
          onInvalid={() => {
            focusTitle();
            invalidate();
          }}
        />
      )}
      {isReady && !user && (
        <GuestInvitation
          code={code}
          inviter={invitation.username}
          canRegister={invitation.canRegister}
        />
      )}
    </AuthFrame>
  );
}

/** The picture above the title. A failure has its own. */
function Picture({ invitation }: { invitation: InvitationState }) {
  switch (invitation.status) {
    case 'loading':
      return <Skeleton shape="avatar" width="6rem" height="6rem" className={css.picture} />;
    case 'invalid':
      return <RobotLogo size={72} mood="sad" className={css.picture} />;
    case 'ready':
      return <Avatar name={invitation.username} size={96} className={css.picture} />;
    default:
      return null;
  }
}

/** Explains that an invitation cannot be used. */
function InvalidInvitation({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <p role="alert" className={css.text}>
        {t('invite.invalid')}
      </p>
      <div className={css.actions}>
        <LinkButton variant="secondary" to={isSignedIn ? PATHS.chats : PATHS.login}>
          {isSignedIn ? t('invite.toChats') : t('invite.toLogin')}
        </LinkButton>
      </div>
    </>
  );
}

/** What users see who open their own link. */
function OwnInvitation() {
  const { t } = useTranslation();
  return (
    <>
      <p className={css.text}>{t('invite.ownText')}</p>
      <div className={css.actions}>
        <LinkButton to={PATHS.settings}>{t('invite.ownManage')}</LinkButton>
        <LinkButton variant="secondary" to={PATHS.chats}>
          {t('invite.toChats')}
        </LinkButton>
      </div>
    </>
  );
}

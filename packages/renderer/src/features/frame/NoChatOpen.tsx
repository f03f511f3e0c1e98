import { UserRoundPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { usePublicConfig } from '../../host/host-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { FirstChat } from '../../shared/invitations/FirstChat.tsx';
import { useInviteDialog } from '../../shared/invitations/use-invite-dialog.tsx';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { TwoRobots } from '../../ui/TwoRobots.tsx';
import css from './Pane.module.css';

/** The right pane while no chat is open, with the ways to a new one. */
export function NoChatOpen() {
  const { t } = useTranslation();
  const { invite, dialog } = useInviteDialog();
  const { userInvitations } = usePublicConfig();
  const hasChats = useClientState('chats', ({ status, chats }) =>
    status === 'ready' ? chats.length > 0 : undefined,
  );
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <div className={css.pane}>
      {hasChats === false ? (
        <FirstChat title={t('frame.firstChat')} isPage titleRef={heading} invite={invite} />
      ) : (
        <EmptyState
          illustration={<TwoRobots />}
          isPage
          titleRef={heading}
          title={t('frame.chooseChat')}
          text={t('frame.chooseChatHelp')}
          action={
            <div className={css.actions}>
              <LinkButton variant="secondary" to={PATHS.findUser}>
                {t('findUser.open')}
              </LinkButton>
              {hasChats && userInvitations && (
                <Button
                  variant="secondary"
                  icon={<UserRoundPlus />}
                  onClick={({ currentTarget }) => invite(currentTarget)}
                >
                  {t('frame.invite')}
                </Button>
              )}
            </div>
          }
        />
      )}
      {dialog}
    </div>
  );
}

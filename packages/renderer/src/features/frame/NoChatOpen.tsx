import { useTranslation } from 'react-i18next';
import { useClientState } from '../../client/client-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { FirstChat } from '../../shared/invitations/FirstChat.tsx';
import { useInviteDialog } from '../../shared/invitations/use-invite-dialog.tsx';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { TwoRobots } from '../../ui/TwoRobots.tsx';
import css from './Pane.module.css';

/** The right pane while no chat is open, with the first steps for users without chats. */
export function NoChatOpen() {
  const { t } = useTranslation();
  const { invite, dialog } = useInviteDialog();
  const isFirst = useClientState(
    'chats',
    ({ status, chats }) => status === 'ready' && chats.length === 0,
  );
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <div className={css.pane}>
      {isFirst ? (
        <FirstChat title={t('frame.firstChat')} isPage titleRef={heading} invite={invite} />
      ) : (
        <EmptyState
          illustration={<TwoRobots />}
          isPage
          titleRef={heading}
          title={t('frame.chooseChat')}
          text={t('frame.chooseChatHelp')}
          action={
            <LinkButton variant="secondary" to={PATHS.findUser}>
              {t('findUser.open')}
            </LinkButton>
          }
        />
      )}
      {dialog}
    </div>
  );
}

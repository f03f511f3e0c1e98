import { useTranslation } from 'react-i18next';
import { useUser } from '../../app/app-context.ts';
import { useClientState } from '../../client/client-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useFocusOnNavigation } from '../../shared/screen/use-focus-on-navigation.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import css from './Pane.module.css';
import { TwoRobots } from './TwoRobots.tsx';

/** The right pane while no chat is open, with a first step for users without chats. */
export function NoChatOpen() {
  const { t } = useTranslation();
  const { username } = useUser();
  const isFirst = useClientState(
    'chats',
    ({ status, chats }) => status === 'ready' && chats.length === 0,
  );
  const heading = useFocusOnNavigation<HTMLHeadingElement>();
  return (
    <div className={css.pane}>
      <EmptyState
        illustration={<TwoRobots />}
        isPage
        titleRef={heading}
        title={isFirst ? t('frame.firstChat') : t('frame.chooseChat')}
        text={isFirst ? t('frame.firstChatHelp', { name: username }) : t('frame.chooseChatHelp')}
        action={
          <LinkButton variant={isFirst ? 'primary' : 'secondary'} to={PATHS.findUser}>
            {t('findUser.open')}
          </LinkButton>
        }
      />
    </div>
  );
}

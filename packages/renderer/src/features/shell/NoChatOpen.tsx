import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { PATHS } from '../../routes/paths.ts';
import css from './NoChatOpen.module.css';
import { TwoRobots } from './TwoRobots.tsx';
import { useArrivalFocus } from './use-arrival-focus.ts';

/** The right side while no chat is open. */
export function NoChatOpen() {
  const { t } = useTranslation();
  const heading = useArrivalFocus<HTMLHeadingElement>();
  return (
    <div className={css.pane}>
      <EmptyState
        picture={<TwoRobots />}
        isPage
        titleRef={heading}
        title={t('shell.chooseChat')}
        text={t('shell.chooseChatHelp')}
        action={
          <LinkButton variant="secondary" to={PATHS.findUser}>
            {t('shell.findSomebody')}
          </LinkButton>
        }
      />
    </div>
  );
}

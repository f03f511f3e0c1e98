import { useEffect, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { useLoadScreenTexts } from '../../i18n/use-language.ts';
import { PATHS } from '../../navigation/paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { TwoRobots } from '../../ui/TwoRobots.tsx';
import css from './FirstSteps.module.css';
import type { FirstSteps } from './FirstSteps.tsx';
import { invitationParts } from './invitation-parts.ts';
import type { Inviting } from './use-invite-dialog.tsx';

interface FirstChatProps extends Pick<Inviting, 'invite'> {
  title: string;
  /** Whether it fills the page. */
  isPage?: boolean;
  titleRef?: Ref<HTMLHeadingElement>;
}

/** What users without chats see, with the ways to the first one, whose code is loaded on demand. */
export function FirstChat({ title, isPage = false, titleRef, invite }: FirstChatProps) {
  const { t } = useTranslation();
  const loaded = useFirstSteps();
  return (
    <EmptyState
      illustration={<TwoRobots />}
      isPage={isPage}
      {...(titleRef && { titleRef })}
      title={title}
      text={t('frame.firstChatHelp')}
      action={
        <div className={css.space}>
          {loaded === 'failed' && <LinkButton to={PATHS.findUser}>{t('findUser.open')}</LinkButton>}
          {typeof loaded === 'object' && <loaded.Steps invite={invite} />}
        </div>
      }
    />
  );
}

function useFirstSteps(): { Steps: typeof FirstSteps } | 'failed' | undefined {
  const loadScreenTexts = useLoadScreenTexts();
  const [loaded, setLoaded] = useState<{ Steps: typeof FirstSteps } | 'failed'>();
  useEffect(() => {
    Promise.all([invitationParts.firstSteps(), loadScreenTexts('invitations')]).then(
      ([Steps]) => setLoaded({ Steps }),
      () => setLoaded('failed'),
    );
  }, [loadScreenTexts]);
  return loaded;
}

import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import css from './FullPage.module.css';

interface FullPageProblemProps {
  title: string;
  text: string;
  /** What the button says, and does. */
  action: string;
  onAction: () => void;
  /** The action is under way. */
  isBusy?: boolean;
}

/** What stands in for the whole application when it cannot be shown. */
export function FullPageProblem({
  title,
  text,
  action,
  onAction,
  isBusy = false,
}: FullPageProblemProps) {
  const { t } = useTranslation();
  return (
    <main className={css.page}>
      <title>{t('app.name')}</title>
      <EmptyState
        role="alert"
        picture={<RobotLogo size={72} />}
        isPage
        title={title}
        text={text}
        action={
          <Button busy={isBusy} onClick={onAction}>
            {action}
          </Button>
        }
      />
    </main>
  );
}

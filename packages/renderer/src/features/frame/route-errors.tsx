import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router-dom';
import { useReloadIfReachable } from '../../app/use-reload-if-reachable.ts';
import { ScreenLoadError } from '../../navigation/screen-load-error.ts';
import { ErrorState, type ErrorStateProps } from './ErrorState.tsx';
import { FullPageError } from './FullPageError.tsx';
import css from './Pane.module.css';

/** The full-page error for a failed screen outside the frame. */
export function RootError() {
  return <FullPageError {...useRouteErrorState()} />;
}

/** The error for a failed screen inside the frame. The chat list beside it still works. */
export function ScreenError() {
  return (
    <div className={css.pane}>
      <ErrorState {...useRouteErrorState()} variant="secondary" />
    </div>
  );
}

/** Returns the texts and the action for a screen that failed to render or to load. */
function useRouteErrorState(): ErrorStateProps {
  const { t } = useTranslation();
  const reload = useReloadIfReachable();
  const error = useRouteError();
  const [isBusy, setIsBusy] = useState(false);
  const handleAction = useCallback(() => {
    setIsBusy(true);
    reload().catch(() => setIsBusy(false));
  }, [reload]);
  const texts =
    error instanceof ScreenLoadError
      ? { title: t('app.screenFailed'), text: t('error.offline'), action: t('app.retry') }
      : { title: t('app.crashed'), text: t('app.crashedHelp'), action: t('app.reload') };
  return { ...texts, onAction: handleAction, isBusy };
}

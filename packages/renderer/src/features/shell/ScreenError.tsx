import css from './Pane.module.css';
import { ErrorState } from './ErrorState.tsx';
import { useRouteErrorState } from './use-route-error-state.ts';

/** Stands in for one signed-in screen: the chats beside it go on. */
export function ScreenError() {
  return (
    <div className={css.pane}>
      <ErrorState {...useRouteErrorState()} variant="secondary" />
    </div>
  );
}

import css from './Pane.module.css';
import { ErrorState } from './ErrorState.tsx';
import { useRouteErrorState } from './use-route-error-state.ts';

/** The error for a failed screen inside the shell. The chat list beside it still works. */
export function ScreenError() {
  return (
    <div className={css.pane}>
      <ErrorState {...useRouteErrorState()} variant="secondary" />
    </div>
  );
}

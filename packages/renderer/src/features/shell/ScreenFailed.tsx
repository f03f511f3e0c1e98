import css from './Pane.module.css';
import { Problem } from './Problem.tsx';
import { useRouteProblem } from './use-route-problem.ts';

/** Stands in for one signed-in screen: the chats beside it go on. */
export function ScreenFailed() {
  return (
    <div className={css.pane}>
      <Problem {...useRouteProblem()} variant="secondary" />
    </div>
  );
}

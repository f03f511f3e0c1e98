import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';
import css from './Pane.module.css';
import { useRouteProblem } from './use-route-problem.ts';

/** Stands in for one signed-in screen: the chats beside it go on. */
export function ScreenFailed() {
  const { title, text, action, onAction, isBusy } = useRouteProblem();
  return (
    <div className={css.pane}>
      <EmptyState
        role="alert"
        picture={<RobotLogo size={72} />}
        isPage
        title={title}
        text={text}
        action={
          <Button variant="secondary" busy={isBusy} onClick={onAction}>
            {action}
          </Button>
        }
      />
    </div>
  );
}

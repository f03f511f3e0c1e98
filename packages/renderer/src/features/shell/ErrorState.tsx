import { Button, type ButtonVariant } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { RobotLogo } from '../../ui/RobotLogo.tsx';

/** What is wrong, in words, and the way out. */
export interface ErrorStateProps {
  title: string;
  text: string;
  /** What the button says, and does. */
  action: string;
  onAction: () => void;
  /** The action is under way. */
  isBusy?: boolean;
}

/** Stands where a screen should be. */
export function ErrorState(props: ErrorStateProps & { variant?: ButtonVariant }) {
  const { title, text, action, onAction, isBusy = false, variant = 'primary' } = props;
  return (
    <EmptyState
      role="alert"
      illustration={<RobotLogo size={72} />}
      isPage
      title={title}
      text={text}
      action={
        <Button variant={variant} busy={isBusy} onClick={onAction}>
          {action}
        </Button>
      }
    />
  );
}

import { Button, type ButtonVariant } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** The texts and the action of an error. */
export interface ErrorStateProps {
  title: string;
  text: string;
  /** The label of the button. */
  action: string;
  onAction: () => void;
  /** Whether the action is in progress. */
  isBusy?: boolean;
}

/** Replaces a screen with an error. */
export function ErrorState(props: ErrorStateProps & { variant?: ButtonVariant }) {
  const { title, text, action, onAction, isBusy = false, variant = 'primary' } = props;
  return (
    <EmptyState
      role="alert"
      mood="sad"
      isPage
      title={title}
      text={text}
      action={
        <Button variant={variant} isBusy={isBusy} onClick={onAction}>
          {action}
        </Button>
      }
    />
  );
}

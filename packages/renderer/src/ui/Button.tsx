import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './Button.module.css';
import { Spinner } from './Spinner.tsx';
import { useDelayed } from './use-delayed.ts';

/** Milliseconds before a busy button shows a spinner. */
const SPINNER_DELAY = 300;

/** `primary` is the main action of a screen. */
export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** `large` is for the only action of a form, `medium` for a row of buttons. */
  size?: 'medium' | 'large';
  /** Whether the action is in progress. The button keeps its size and focus, and ignores clicks. */
  isBusy?: boolean;
  /** Whether the action is unavailable for now. The button keeps its focus and ignores clicks. */
  isDisabled?: boolean;
  icon?: ReactNode;
}

/** A button with text. `type` defaults to `button`. */
export function Button({
  variant = 'primary',
  size = 'medium',
  isBusy = false,
  isDisabled = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isSpinning = useDelayed(isBusy, SPINNER_DELAY);
  const handleClick = (event: MouseEvent<HTMLButtonElement>): void => {
    if (isBusy || isDisabled) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={classNames(css.button, css[variant], css[size], isSpinning && css.busy, className)}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || isDisabled || undefined}
      data-disabled={isDisabled || undefined}
      onClick={handleClick}
    >
      <span className={css.content}>
        {icon}
        {children}
      </span>
      {isSpinning && <Spinner className={css.spinner} />}
    </button>
  );
}

import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './Button.module.css';
import { Spinner } from './Spinner.tsx';
import { useDelayed } from './use-delayed.ts';

/** How long a button stays as it is before it shows that it works. Milliseconds. */
const SPINNER_DELAY = 300;

/** `primary` is the one main action of a screen. */
export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  /** `large` is the one action of a form, `medium` stands in a row with others. */
  size?: 'medium' | 'large';
  /** The action is under way: the button keeps its size and focus and does nothing more. */
  busy?: boolean;
  icon?: ReactNode;
}

/** A button with words. `type` is `button` unless said otherwise. */
export function Button({
  variant = 'primary',
  size = 'medium',
  busy = false,
  icon,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const spinning = useDelayed(busy, SPINNER_DELAY);
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    if (busy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      className={classNames(css.button, css[variant], css[size], spinning && css.busy, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={click}
    >
      <span className={css.content}>
        {icon}
        {children}
      </span>
      {spinning && <Spinner className={css.spinner} />}
    </button>
  );
}

import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import css from './Button.module.css';
import type { ButtonVariant } from './Button.tsx';
import { classNames } from './class-names.ts';

interface LinkButtonProps extends LinkProps {
  variant?: ButtonVariant;
  icon?: ReactNode;
}

/** A link that looks like a `Button`. */
export function LinkButton({
  variant = 'primary',
  icon,
  className,
  children,
  ...rest
}: LinkButtonProps) {
  return (
    <Link
      {...rest}
      className={classNames(css.button, css.link, css[variant], css.medium, className)}
    >
      <span className={css.content}>
        {icon}
        {children}
      </span>
    </Link>
  );
}

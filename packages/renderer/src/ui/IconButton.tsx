import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './IconButton.module.css';
import { Tooltip } from './Tooltip.tsx';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  /** The action of the button. Used as its accessible name and its tooltip. */
  label: string;
  icon: ReactNode;
  variant?: 'ghost' | 'own' | 'danger';
  size?: 'small' | 'medium';
  /** The side on which the tooltip appears. */
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/** A button with an icon only. It has an accessible name and a tooltip. */
export function IconButton({
  label,
  icon,
  variant = 'ghost',
  size = 'medium',
  side = 'top',
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} side={side}>
      <button
        {...rest}
        type={type}
        aria-label={label}
        className={classNames(css.button, css[variant], size === 'small' && css.small, className)}
      >
        {icon}
      </button>
    </Tooltip>
  );
}

import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { classNames } from './class-names.ts';
import css from './IconButton.module.css';
import { Tooltip } from './Tooltip.tsx';

interface IconLinkProps extends Omit<LinkProps, 'children' | 'aria-label'> {
  /** The target of the link. Used as its accessible name and its tooltip. */
  label: string;
  icon: ReactNode;
  /** The side on which the tooltip appears. */
  side?: 'top' | 'bottom' | 'left' | 'right';
}

/** A link that looks like an `IconButton`. */
export function IconLink({ label, icon, side = 'top', className, ...rest }: IconLinkProps) {
  return (
    <Tooltip text={label} side={side}>
      <Link {...rest} aria-label={label} className={classNames(css.button, css.ghost, className)}>
        {icon}
      </Link>
    </Tooltip>
  );
}

import type { ReactNode } from 'react';
import css from './Banner.module.css';
import { classNames } from './class-names.ts';

interface BannerProps {
  tone: 'info' | 'warning' | 'success';
  icon?: ReactNode;
  children: ReactNode;
  /** A `BannerButton` at the end. */
  action?: ReactNode;
  /** Whether it is inside a card and has rounded corners. */
  isInset?: boolean;
}

/** A line about the state of a screen. Screen readers announce it when it appears or changes. */
export function Banner({ tone, icon, children, action, isInset = false }: BannerProps) {
  return (
    <output className={classNames(css.banner, css[tone], isInset && css.inset)}>
      {icon}
      <span className={css.text}>{children}</span>
      {action}
    </output>
  );
}

interface BannerButtonProps {
  onClick: () => void;
  isDisabled?: boolean;
  children: ReactNode;
}

/** The action of a banner. */
export function BannerButton({ onClick, isDisabled = false, children }: BannerButtonProps) {
  return (
    <button type="button" className={css.button} disabled={isDisabled} onClick={onClick}>
      {children}
    </button>
  );
}

import type { ReactNode } from 'react';
import css from './Banner.module.css';
import { classNames } from './class-names.ts';

interface BannerProps {
  tone: 'info' | 'warning' | 'danger' | 'success';
  icon?: ReactNode;
  children: ReactNode;
  /** A small button at the end. */
  action?: ReactNode;
}

/** One line about the state of the whole screen. Announced when it appears or changes. */
export function Banner({ tone, icon, children, action }: BannerProps) {
  return (
    <output className={classNames(css.banner, css[tone])}>
      {icon}
      <span className={css.text}>{children}</span>
      {action}
    </output>
  );
}

import type { ComponentProps, ReactNode } from 'react';
import css from './Button.module.css';
import { classNames } from './class-names.ts';

interface DownloadButtonProps extends ComponentProps<'a'> {
  href: string;
  icon?: ReactNode;
}

/** A link that saves a file of the server and looks like a `Button`. */
export function DownloadButton({ icon, className, children, ...rest }: DownloadButtonProps) {
  return (
    <a
      {...rest}
      download
      className={classNames(css.button, css.link, css.secondary, css.medium, className)}
    >
      <span className={css.content}>
        {icon}
        {children}
      </span>
    </a>
  );
}

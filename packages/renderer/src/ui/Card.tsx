import type { ComponentProps } from 'react';
import css from './Card.module.css';
import { classNames } from './class-names.ts';

/** A raised container. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={classNames(css.card, className)} />;
}

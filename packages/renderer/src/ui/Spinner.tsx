import { classNames } from './class-names.ts';
import css from './Spinner.module.css';

/** A spinner in the color of the surrounding text. It has no accessible text, so add one beside it. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={classNames(css.spinner, className)} aria-hidden="true" />;
}

import { classNames } from './class-names.ts';
import css from './Spinner.module.css';

/** A turning ring in the colour of the text around it. Says nothing: give the words yourself. */
export function Spinner({ className }: { className?: string | undefined }) {
  return <span className={classNames(css.spinner, className)} aria-hidden="true" />;
}

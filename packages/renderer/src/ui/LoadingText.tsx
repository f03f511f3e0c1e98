import { classNames } from './class-names.ts';
import { Spinner } from './Spinner.tsx';
import css from './LoadingText.module.css';

interface LoadingTextProps {
  label: string;
  /** Whether it floats over the center of the nearest positioned ancestor instead of taking a line. */
  isFloating?: boolean;
}

/** A loading text with a spinner, shown beside skeletons and announced to screen readers. */
export function LoadingText({ label, isFloating = false }: LoadingTextProps) {
  return (
    <output className={classNames(css.text, isFloating && css.floating)}>
      <Spinner />
      {label}
    </output>
  );
}

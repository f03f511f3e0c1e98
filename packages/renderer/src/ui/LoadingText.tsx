import { classNames } from './class-names.ts';
import { Spinner } from './Spinner.tsx';
import css from './LoadingText.module.css';

interface LoadingTextProps {
  label: string;
  /** Floats over the middle of the nearest positioned ancestor instead of taking a line. */
  isFloating?: boolean;
}

/** Says beside the skeletons what is being loaded, visibly and to screen readers. */
export function LoadingText({ label, isFloating = false }: LoadingTextProps) {
  return (
    <output className={classNames(css.text, isFloating && css.floating)}>
      <Spinner />
      {label}
    </output>
  );
}

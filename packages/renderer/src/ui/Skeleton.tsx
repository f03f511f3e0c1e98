import { classNames } from './class-names.ts';
import css from './Skeleton.module.css';

interface SkeletonProps {
  /** Any CSS length. */
  width?: string;
  height?: string;
  shape?: 'text' | 'box' | 'avatar';
  className?: string | undefined;
}

/** The place of something that is still loading, in its final measure. Says nothing: give the words yourself. */
export function Skeleton({ width = '100%', height, shape = 'text', className }: SkeletonProps) {
  return (
    <span
      className={classNames(css.skeleton, css[shape], className)}
      style={height === undefined ? { width } : { width, height }}
      aria-hidden="true"
    />
  );
}

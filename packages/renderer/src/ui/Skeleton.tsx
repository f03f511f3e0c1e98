import { classNames } from './class-names.ts';
import css from './Skeleton.module.css';

interface SkeletonProps {
  /** Any CSS length. */
  width?: string;
  height?: string;
  shape?: 'text' | 'box' | 'avatar';
  className?: string | undefined;
}

/** A placeholder for loading content in its final size. It has no accessible text, so add one beside it. */
export function Skeleton({ width = '100%', height, shape = 'text', className }: SkeletonProps) {
  return (
    <span
      className={classNames(css.skeleton, css[shape], className)}
      style={height === undefined ? { width } : { width, height }}
      aria-hidden="true"
    />
  );
}

import { useState } from 'react';
import { useAvatarUrl } from '../host/host-context.ts';
import css from './Avatar.module.css';
import { classNames } from './class-names.ts';
import { RobotLogo } from './RobotLogo.tsx';

/** The sizes of the design, in pixels. */
export type AvatarSize = 24 | 32 | 40 | 48 | 96;

interface AvatarProps {
  /** The username; undefined for a deleted account, which gets the robot logo. */
  name: string | undefined;
  /** Width and height in pixels. */
  size?: AvatarSize;
  className?: string | undefined;
}

/** A user's robot avatar. It is decorative, so the name must be beside it. */
export function Avatar({ name, size = 40, className }: AvatarProps) {
  const urlOf = useAvatarUrl();
  const url = name === undefined || name === '' ? undefined : urlOf(name);
  const [failed, setFailed] = useState<string>();
  return (
    <span
      className={classNames(css.avatar, className)}
      style={{ width: `${size / 16}rem`, height: `${size / 16}rem` }}
    >
      {url === undefined || url === failed ? (
        <RobotLogo size={Math.round(size * 0.72)} />
      ) : (
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          decoding="async"
          draggable={false}
          onError={() => setFailed(url)}
        />
      )}
    </span>
  );
}

import { classNames } from './class-names.ts';
import css from './RobotLogo.module.css';

/** The robot's mood: `curious` looks for something, `sad` stands beside failures and farewells. */
export type RobotMood = 'happy' | 'curious' | 'sad';

/** The horizontal position of the left eye and the mouth. */
const FACES = {
  happy: [25.5, 'M26.5 45.5c3.4 1.9 7.6 1.9 11 0'],
  curious: [29, 'M29.5 46.5h7'],
  sad: [25.5, 'M26.5 47.2c3.4-1.9 7.6-1.9 11 0'],
} as const satisfies Record<RobotMood, readonly [eye: number, mouth: string]>;

interface RobotLogoProps {
  /** Width and height in pixels. */
  size?: number;
  mood?: RobotMood;
  className?: string | undefined;
}

/** The robot of the header and of empty screens, which also replaces a missing avatar. Decorative. */
export function RobotLogo({ size = 40, mood = 'happy', className }: RobotLogoProps) {
  const [eye, mouth] = FACES[mood];
  return (
    <svg
      viewBox="0 0 64 64"
      width={size}
      height={size}
      className={classNames(css.robot, className)}
      aria-hidden="true"
    >
      <path className={css.line} d="M32 16V9" />
      <circle className={css.lamp} cx="32" cy="7.5" r="3.5" />
      <rect className={css.ownEar} x="4" y="26" width="8" height="16" rx="4" />
      <rect className={css.partnerEar} x="52" y="26" width="8" height="16" rx="4" />
      <rect className={css.head} x="9" y="15" width="46" height="38" rx="14" />
      <rect className={css.visor} x="16" y="24" width="32" height="15" rx="7.5" />
      <circle className={css.eye} cx={eye} cy="31.5" r="3" />
      <circle className={css.eye} cx={eye + 13} cy="31.5" r="3" />
      <path className={css.mouth} d={mouth} />
    </svg>
  );
}

import { RobotLogo } from './RobotLogo.tsx';
import css from './TwoRobots.module.css';

/** A decorative drawing of two robots in conversation, below the two speech bubbles of the logo. */
export function TwoRobots() {
  return (
    <svg viewBox="0 0 280 168" width="280" height="168" aria-hidden="true">
      <path
        className={css.own}
        d="M44 4h88a5 5 0 0 1 5 5v50a5 5 0 0 1-5 5H62L45 79a2 2 0 0 1-3.4-1.5V64A17 17 0 0 1 24 47V24A20 20 0 0 1 44 4Z"
      />
      <path className={css.words} d="M48 26h66M48 42h40" />
      <path
        className={css.partner}
        d="M236 4h-88a5 5 0 0 0-5 5v50a5 5 0 0 0 5 5h70l17 15a2 2 0 0 0 3.4-1.5V64A17 17 0 0 0 256 47V24A20 20 0 0 0 236 4Z"
      />
      <circle className={css.dot} cx="182" cy="34" r="4.5" />
      <circle className={css.dot} cx="199" cy="34" r="4.5" />
      <circle className={css.dot} cx="216" cy="34" r="4.5" />
      <g className={css.ownRobot} transform="translate(22 84)">
        <RobotLogo size={84} mood="curious" />
      </g>
      <g className={css.partnerRobot} transform="translate(174 84)">
        <RobotLogo size={84} />
      </g>
    </svg>
  );
}

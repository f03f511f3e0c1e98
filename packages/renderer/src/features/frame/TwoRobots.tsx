import css from './TwoRobots.module.css';

/** A decorative drawing of two robots in conversation. */
export function TwoRobots() {
  return (
    <svg viewBox="0 0 280 168" width="280" height="168" aria-hidden="true" className={css.scene}>
      <path
        className={css.own}
        d="M40 8h76a16 16 0 0 1 16 16v28a16 16 0 0 1-16 16H62l-13 13a2 2 0 0 1-3.4-1.5V68H40a16 16 0 0 1-16-16V24A16 16 0 0 1 40 8Z"
      />
      <path className={css.ownLine} d="M44 30h68M44 46h42" />
      <path
        className={css.partner}
        d="M164 30h76a16 16 0 0 1 16 16v24a16 16 0 0 1-16 16h-5.6v11.5a2 2 0 0 1-3.4 1.5L218 86h-54a16 16 0 0 1-16-16V46a16 16 0 0 1 16-16Z"
      />
      <circle className={css.partnerDot} cx="186" cy="58" r="4" />
      <circle className={css.partnerDot} cx="202" cy="58" r="4" />
      <circle className={css.partnerDot} cx="218" cy="58" r="4" />
      <Robot x={28} lampClass={css.ownLamp} eyes={[28, 44]} />
      <Robot x={184} lampClass={css.partnerLamp} eyes={[24, 40]} />
    </svg>
  );
}

interface RobotProps {
  x: number;
  /** Class name of the lamp on the antenna. */
  lampClass: string | undefined;
  /** Horizontal position of each eye. */
  eyes: readonly number[];
}

function Robot({ x, lampClass, eyes }: RobotProps) {
  return (
    <g transform={`translate(${x} 92)`}>
      <path className={css.antenna} d="M34 10V3" />
      <circle className={lampClass} cx="34" cy="3" r="3" />
      <rect className={css.head} x="6" y="10" width="56" height="42" rx="15" />
      <rect className={css.visor} x="14" y="20" width="40" height="17" rx="8.5" />
      {eyes.map((eye) => (
        <circle key={eye} className={css.eye} cx={eye} cy="28.5" r="3.2" />
      ))}
      <path className={css.body} d="M14 76V68a12 12 0 0 1 12-12h16a12 12 0 0 1 12 12v8Z" />
    </g>
  );
}

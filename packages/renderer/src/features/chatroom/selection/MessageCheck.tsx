import { Check } from 'lucide-react';
import css from './MessageCheck.module.css';

interface MessageCheckProps {
  isChecked: boolean;
  label: string;
  isTabStop: boolean;
}

/** The check box of a message while the user selects messages. The list handles its changes and clicks on the row. */
export function MessageCheck({ isChecked, label, isTabStop }: MessageCheckProps) {
  return (
    <span className={css.check}>
      <input
        type="checkbox"
        className={css.input}
        tabIndex={isTabStop ? 0 : -1}
        checked={isChecked}
        readOnly
        aria-label={label}
      />
      <span className={css.circle}>{isChecked && <Check />}</span>
    </span>
  );
}

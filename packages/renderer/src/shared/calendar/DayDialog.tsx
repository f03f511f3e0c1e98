import { useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';
import { Calendar } from './Calendar.tsx';
import type { Day } from './days.ts';

interface DayDialogProps {
  title: string;
  /** Shown above the calendar. */
  note?: ReactNode;
  /** The day that is chosen already, if any. */
  selected?: Day | undefined;
  onChoose: (day: Day) => void;
  onClose: () => void;
  /** The element to focus when it closes. Defaults to the one that had the focus before. */
  finalFocus?: RefObject<HTMLElement | null> | undefined;
}

/** A dialog to choose a day up to today. */
export function DayDialog({
  title,
  note,
  selected,
  onChoose,
  onClose,
  finalFocus,
}: DayDialogProps) {
  const { t } = useTranslation();
  const activeDay = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      onClose={onClose}
      title={title}
      isDismissible
      initialFocus={activeDay}
      finalFocus={finalFocus}
      closeLabel={t('app.cancel')}
    >
      {note}
      <Calendar
        selected={selected}
        activeDayRef={activeDay}
        onChoose={(day) => {
          onClose();
          onChoose(day);
        }}
      />
    </Dialog>
  );
}

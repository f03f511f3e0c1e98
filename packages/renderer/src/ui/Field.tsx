import { CircleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';

/** The attributes that associate a control with its label, help and error. */
interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface FieldProps {
  label: string;
  help?: string | undefined;
  /** Replaces the help. */
  error?: string | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** A control with its label above and help or error below. */
export function Field({ label, help, error, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = error !== undefined || help !== undefined;
  return (
    <div className={classNames(css.field, className)}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined || undefined,
        'aria-describedby': hasNote ? noteId : undefined,
      })}
      {error === undefined ? (
        help !== undefined && (
          <p id={noteId} className={css.help}>
            {help}
          </p>
        )
      ) : (
        <p id={noteId} className={css.error}>
          <CircleAlert />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

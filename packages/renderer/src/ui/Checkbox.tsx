import { Checkbox as Base } from '@base-ui/react/checkbox';
import { Field } from '@base-ui/react/field';
import { Check, CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './Checkbox.module.css';
import fieldCss from './Field.module.css';

interface CheckboxProps {
  name: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  /** The label, which may contain a link. */
  children: ReactNode;
  help?: string;
  error?: string | undefined;
  required?: boolean;
}

/** A checkbox with its label, its help and its error. */
export function Checkbox({
  name,
  checked,
  onCheckedChange,
  children,
  help,
  error,
  required = false,
}: CheckboxProps) {
  return (
    <Field.Root className={css.field} invalid={error !== undefined}>
      <Field.Label className={css.label}>
        <Base.Root
          name={name}
          checked={checked}
          onCheckedChange={onCheckedChange}
          required={required}
          className={css.box}
        >
          <Base.Indicator className={css.indicator}>
            <Check strokeWidth={3} />
          </Base.Indicator>
        </Base.Root>
        <span>{children}</span>
      </Field.Label>
      {help !== undefined && <Field.Description className={css.help}>{help}</Field.Description>}
      <Field.Error className={fieldCss.error} match={error !== undefined}>
        <CircleAlert />
        <span>{error}</span>
      </Field.Error>
    </Field.Root>
  );
}

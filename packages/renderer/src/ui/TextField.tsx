import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { Field } from './Field.tsx';

/** The properties of an input, and of its label, error and help. */
export interface TextFieldProps extends Omit<
  ComponentProps<'input'>,
  'id' | 'value' | 'defaultValue' | 'onChange'
> {
  label: string;
  /** Name in the form's data. Password managers need it as well. */
  name: string;
  value: string;
  onValueChange: (value: string) => void;
  /** Shown below the field, which is invalid while it is set. */
  error?: string | undefined;
  help?: string | undefined;
  /** Whether it is a one-time key, with letter spacing and tabular figures, or a long one. */
  code?: boolean | 'long';
}

/** A single-line text field with its label above and its help or error below. */
export function TextField({
  label,
  onValueChange,
  error,
  help,
  code = false,
  className,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} help={help} error={error} className={className}>
      {(control) => (
        <input
          {...input}
          {...control}
          className={classNames(
            css.input,
            code !== false && css.code,
            code === 'long' && css.longCode,
          )}
          onChange={(event) => onValueChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

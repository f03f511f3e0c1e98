import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { Field } from './Field.tsx';

/** An input's own properties, and what stands around it. */
export interface TextFieldProps extends Omit<
  ComponentProps<'input'>,
  'id' | 'value' | 'defaultValue' | 'onChange'
> {
  label: string;
  /** Needed by password managers, and what the form's data is called. */
  name: string;
  value: string;
  onValueChange: (value: string) => void;
  /** Shown below the field; the field counts as invalid while it is there. */
  error?: string | undefined;
  help?: string | undefined;
  /** A one-time key: spaced, with figures of one width. */
  code?: boolean;
}

/** A line of text with its label above and help or error below. */
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
          className={classNames(css.input, code && css.code)}
          onChange={(event) => onValueChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

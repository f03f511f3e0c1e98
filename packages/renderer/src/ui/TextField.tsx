import { Field } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { FieldError } from './FieldError.tsx';

export interface TextFieldProps extends Omit<
  ComponentProps<'input'>,
  'value' | 'defaultValue' | 'onChange'
> {
  label: string;
  /** Needed by password managers, and what the form's data is called. */
  name: string;
  value: string;
  onValueChange: (value: string) => void;
  /** Shown below the field; the field counts as invalid while it is there. */
  error?: string | undefined;
  help?: string | undefined;
  /** A link at the end of the label's line. */
  aside?: ReactNode;
  /** A one-time key: spaced, with figures of one width. */
  code?: boolean;
}

/** A line of text with its label above and help or error below. */
export function TextField({
  label,
  name,
  value,
  onValueChange,
  error,
  help,
  aside,
  code = false,
  className,
  ...input
}: TextFieldProps) {
  return (
    <Field.Root className={classNames(css.field, className)} invalid={error !== undefined}>
      <span className={css.labels}>
        <Field.Label className={css.label}>{label}</Field.Label>
        {aside !== undefined && <span className={css.aside}>{aside}</span>}
      </span>
      <Field.Control
        {...input}
        name={name}
        value={value}
        onValueChange={onValueChange}
        className={classNames(css.input, code && css.code)}
      />
      {help !== undefined && error === undefined && (
        <Field.Description className={css.help}>{help}</Field.Description>
      )}
      <FieldError message={error} />
    </Field.Root>
  );
}

import { Field } from '@base-ui/react/field';
import { CircleAlert } from 'lucide-react';
import css from './Field.module.css';

/** What is wrong with the field around it. Inside a `Field.Root` only. */
export function FieldError({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Field.Error className={css.error} match>
      <CircleAlert aria-hidden="true" />
      <span>{message}</span>
    </Field.Error>
  );
}

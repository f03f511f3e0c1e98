import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import type { Form } from '../../ui/use-form.ts';
import css from './Form.module.css';

interface AuthFormProps<Name extends string> {
  form: Form<Name>;
  submitLabel: string;
  /** Whether it succeeded and the redirect is pending. Disables submitting. */
  isDone: boolean;
  children: ReactNode;
  /** Content below the button. */
  after?: ReactNode;
}

/** A form with its fields and its submit button. */
export function AuthForm<Name extends string>({
  form,
  submitLabel,
  isDone,
  children,
  after,
}: AuthFormProps<Name>) {
  return (
    <form className={css.form} noValidate onSubmit={form.submit}>
      {children}
      <FormError text={form.formError} />
      <Button type="submit" size="large" className={css.submit} isBusy={form.isBusy || isDone}>
        {submitLabel}
      </Button>
      {after}
    </form>
  );
}

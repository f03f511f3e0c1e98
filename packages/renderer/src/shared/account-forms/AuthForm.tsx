import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import type { Form } from '../../ui/use-form.ts';
import css from './Form.module.css';

interface AuthFormProps<Name extends string> {
  form: Form<Name>;
  submitLabel: string;
  /** It worked and the next screen is about to come: nothing more can be sent. */
  done: boolean;
  /** A failure that no field is to blame for. */
  formError?: string | undefined;
  children: ReactNode;
  /** Comes after the button. */
  after?: ReactNode;
}

/** The fields and the one button of a form. */
export function AuthForm<Name extends string>({
  form,
  submitLabel,
  done,
  formError,
  children,
  after,
}: AuthFormProps<Name>) {
  return (
    <form className={css.form} noValidate onSubmit={form.submit}>
      {children}
      {formError !== undefined && (
        <p role="alert" className={css.error}>
          {formError}
        </p>
      )}
      <Button type="submit" size="large" className={css.submit} busy={form.busy || done}>
        {submitLabel}
      </Button>
      {after}
    </form>
  );
}

import { useState } from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { Field } from './Field.tsx';
import { PasswordToggle } from './PasswordToggle.tsx';
import type { TextFieldProps } from './TextField.tsx';

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'code'> {
  /** Tells password managers whether to fill in the known one or to offer a new one. */
  autoComplete: 'current-password' | 'new-password';
  /** Where several fields share one toggle outside of them: whether the text is shown. */
  shown?: boolean;
}

/** A password with its show/hide toggle, unless `shown` puts that in other hands. */
export function PasswordField({
  label,
  onValueChange,
  error,
  help,
  shown,
  className,
  ...input
}: PasswordFieldProps) {
  const [isOwnShown, setOwnShown] = useState(false);
  const hasToggle = shown === undefined;
  const isShown = shown ?? isOwnShown;
  return (
    <Field label={label} help={help} error={error} className={className}>
      {(control) => (
        <span className={css.box}>
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={classNames(css.input, hasToggle && css.withToggle)}
            onChange={(event) => onValueChange(event.currentTarget.value)}
          />
          {hasToggle && <PasswordToggle isShown={isShown} onChange={setOwnShown} />}
        </span>
      )}
    </Field>
  );
}

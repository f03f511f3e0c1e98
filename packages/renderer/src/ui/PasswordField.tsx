import { useState } from 'react';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { Field } from './Field.tsx';
import { PasswordToggle } from './PasswordToggle.tsx';
import type { TextFieldProps } from './TextField.tsx';

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'code'> {
  /** Tells password managers whether to fill in the current password or to suggest a new one. */
  autoComplete: 'current-password' | 'new-password';
  /** Whether the password is shown, if an external toggle controls it. */
  isShown?: boolean;
}

/** A password field. It has its own show/hide toggle unless `isShown` is set. */
export function PasswordField({
  label,
  onValueChange,
  error,
  help,
  isShown,
  className,
  ...input
}: PasswordFieldProps) {
  const [isOwnVisible, setIsOwnVisible] = useState(false);
  const hasToggle = isShown === undefined;
  const isVisible = isShown ?? isOwnVisible;
  return (
    <Field label={label} help={help} error={error} className={className}>
      {(control) => (
        <span className={css.box}>
          <input
            {...input}
            {...control}
            type={isVisible ? 'text' : 'password'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            className={classNames(css.input, hasToggle && css.withToggle)}
            onChange={(event) => onValueChange(event.currentTarget.value)}
          />
          {hasToggle && <PasswordToggle isShown={isVisible} onChange={setIsOwnVisible} />}
        </span>
      )}
    </Field>
  );
}

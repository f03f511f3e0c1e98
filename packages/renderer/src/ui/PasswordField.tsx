import { Field } from '@base-ui/react/field';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from './class-names.ts';
import css from './Field.module.css';
import { FieldError } from './FieldError.tsx';
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
  name,
  value,
  onValueChange,
  error,
  help,
  aside,
  shown,
  className,
  ...input
}: PasswordFieldProps) {
  const { t } = useTranslation();
  const [ownShown, setOwnShown] = useState(false);
  const hasToggle = shown === undefined;
  const visible = shown ?? ownShown;
  return (
    <Field.Root className={classNames(css.field, className)} invalid={error !== undefined}>
      <span className={css.labels}>
        <Field.Label className={css.label}>{label}</Field.Label>
        {aside !== undefined && <span className={css.aside}>{aside}</span>}
      </span>
      <span className={css.box}>
        <Field.Control
          {...input}
          name={name}
          type={visible ? 'text' : 'password'}
          value={value}
          onValueChange={onValueChange}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={classNames(css.input, hasToggle && css.withToggle)}
        />
        {hasToggle && (
          <button
            type="button"
            className={css.toggle}
            aria-label={visible ? t('ui.hidePassword') : t('ui.showPassword')}
            aria-pressed={visible}
            onClick={() => setOwnShown(!visible)}
          >
            {visible ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
          </button>
        )}
      </span>
      {help !== undefined && error === undefined && (
        <Field.Description className={css.help}>{help}</Field.Description>
      )}
      <FieldError message={error} />
    </Field.Root>
  );
}

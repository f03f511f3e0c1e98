import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

interface EmailFieldProps extends Omit<TextFieldProps, 'label' | 'type' | 'required'> {
  /** By default that of the user's current address. */
  label?: string;
}

const NOT_ASCII = /\P{ASCII}/u;

/**
 * The field for the user's email address. Set `autoComplete` to `username` if it identifies the account. While the user
 * writes, and as long as not all characters are ASCII, it is a plain text field, because Chromium replaces what is typed
 * into an email field: `straße.example`, which is a domain of its own, becomes `strasse.example`.
 */
export function EmailField({ label, ...props }: EmailFieldProps) {
  const { t } = useTranslation();
  const [isFocused, setIsFocused] = useState(false);
  const isPressed = useRef(false);
  const selected = useRef<HTMLInputElement>(null);

  // Browsers select the whole text when the Tab key focuses a field, and forget it when its type changes.
  useLayoutEffect(() => {
    if (isFocused) selected.current?.select();
  }, [isFocused]);

  return (
    <TextField
      {...props}
      label={label ?? t('field.email')}
      type={isFocused || NOT_ASCII.test(props.value) ? 'text' : 'email'}
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      onPointerDown={() => {
        isPressed.current = true;
      }}
      onFocus={({ currentTarget }) => {
        selected.current = isPressed.current ? null : currentTarget;
        isPressed.current = false;
        setIsFocused(true);
      }}
      onBlur={() => setIsFocused(false)}
    />
  );
}

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
  const restoreSelection = useRef<(() => void) | undefined>(undefined);

  // Browsers forget the selection when the type changes.
  useLayoutEffect(() => {
    if (isFocused) restoreSelection.current?.();
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
        // The Tab key selects the whole text.
        restoreSelection.current = isPressed.current ? undefined : () => currentTarget.select();
        isPressed.current = false;
        setIsFocused(true);
      }}
      // A page in a window without focus gets keys from automation, but its fields get no focus event.
      onKeyDown={({ currentTarget }) => {
        if (isFocused) return;
        restoreSelection.current = () =>
          currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length);
        setIsFocused(true);
      }}
      onBlur={() => setIsFocused(false)}
    />
  );
}

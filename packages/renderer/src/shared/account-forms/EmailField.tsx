import { useTranslation } from 'react-i18next';
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

/**
 * The field for the user's email address. Set `autoComplete` to `username` if it identifies the account. Its
 * type is not `email`, because Chromium then replaces what the user typed: `straße.example`, which is a domain
 * of its own, becomes `strasse.example`.
 */
export function EmailField(props: Omit<TextFieldProps, 'label' | 'type' | 'required'>) {
  const { t } = useTranslation();
  return (
    <TextField
      {...props}
      label={t('field.email')}
      type="text"
      inputMode="email"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
    />
  );
}

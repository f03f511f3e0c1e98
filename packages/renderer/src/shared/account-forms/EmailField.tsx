import { useTranslation } from 'react-i18next';
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

/** The field for the user's email address. Set `autoComplete` to `username` if it identifies the account. */
export function EmailField(props: Omit<TextFieldProps, 'label' | 'type' | 'required'>) {
  const { t } = useTranslation();
  return <TextField {...props} label={t('field.email')} type="email" required />;
}

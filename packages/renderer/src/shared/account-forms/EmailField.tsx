import { useTranslation } from 'react-i18next';
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

/** The field for one's own email address. `autoComplete` tells where it names the account. */
export function EmailField(props: Omit<TextFieldProps, 'label' | 'type' | 'required'>) {
  const { t } = useTranslation();
  return <TextField {...props} label={t('field.email')} type="email" required />;
}

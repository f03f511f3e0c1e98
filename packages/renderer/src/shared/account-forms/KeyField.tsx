import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

/** The field for a key that came by mail; `maxLength` is its length. */
export function KeyField(
  props: Omit<TextFieldProps, 'code' | 'autoComplete' | 'required'> & { maxLength: number },
) {
  return <TextField {...props} code autoComplete="one-time-code" required />;
}

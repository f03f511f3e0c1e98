import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

interface KeyFieldProps extends Omit<TextFieldProps, 'code' | 'autoComplete' | 'required'> {
  /** How many characters the key has. */
  length: number;
}

/**
 * The field for a key that came by mail. Spaces are left out before anything is cut off: who copies a
 * key often takes one along, and with the input's own `maxLength` it would push out the last digit.
 */
export function KeyField({ length, onValueChange, ...props }: KeyFieldProps) {
  return (
    <TextField
      {...props}
      onValueChange={(value) => onValueChange(value.replaceAll(/\s/g, '').slice(0, length))}
      code
      autoComplete="one-time-code"
      required
    />
  );
}

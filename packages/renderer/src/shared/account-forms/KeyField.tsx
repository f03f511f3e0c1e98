import { removeSpacing } from '@parley/contract';
import { TextField, type TextFieldProps } from '../../ui/TextField.tsx';

interface KeyFieldProps extends Omit<TextFieldProps, 'code' | 'autoComplete' | 'required'> {
  /** Number of characters in the key. */
  length: number;
}

/** Number of characters from which a key does not fit into a phone with its usual spacing. */
const LONG_FROM = 12;

/**
 * The field for a key from a mail. It removes spaces before limiting the length. The input's own `maxLength`
 * would cut off the last digit of a key that was copied with a leading space. Digits of input methods stay as typed,
 * as a change would end their composition.
 */
export function KeyField({ length, onValueChange, ...props }: KeyFieldProps) {
  return (
    <TextField
      {...props}
      onValueChange={(value) => {
        // Some digits are two code units.
        onValueChange(Array.from(removeSpacing(value)).slice(0, length).join(''));
      }}
      code={length > LONG_FROM ? 'long' : true}
      autoComplete="one-time-code"
      required
    />
  );
}

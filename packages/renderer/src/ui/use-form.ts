import { useEffect, useState, type FormEvent } from 'react';

/** What is wrong, by the name of the field; fields that are fine may be left out. */
export type FieldErrors<Name extends string> = { [Field in Name]?: string | undefined };

interface FormOptions<Name extends string> {
  initial: Record<Name, string>;
  /** What is wrong with the values; nothing if they may be sent. */
  validate: (values: Record<Name, string>) => FieldErrors<Name>;
  /** Sends them; gives back what the server found wrong with fields, if anything. Must not reject. */
  send: (values: Record<Name, string>) => Promise<FieldErrors<Name> | undefined>;
}

/** A form under way: what its fields show, and its sending. */
export interface Form<Name extends string> {
  values: Record<Name, string>;
  /** From the submit until `send` is through. */
  busy: boolean;
  /** Everything a field component needs to know. */
  field: (name: Name) => {
    name: Name;
    value: string;
    onValueChange: (value: string) => void;
    error: string | undefined;
  };
  submit: (event: FormEvent<HTMLFormElement>) => void;
  /** Empties the fields and forgets what was wrong. */
  clear: () => void;
}

/**
 * A form's values and errors. Nothing is complained about before the first submit; from then on each
 * field's error follows what is typed, and a refused submit moves the focus to the first wrong field.
 */
export function useForm<Name extends string>(options: FormOptions<Name>): Form<Name> {
  const { initial, validate, send } = options;
  const [values, setValues] = useState(initial);
  const [isValidating, setIsValidating] = useState(false);
  const [serverErrors, setServerErrors] = useState<FieldErrors<Name>>({});
  const [busy, setBusy] = useState(false);
  const [invalidForm, setInvalidForm] = useState<{ form: HTMLFormElement }>();

  const errors = isValidating
    ? { ...serverErrors, ...definedErrors(validate(values)) }
    : serverErrors;

  useEffect(() => {
    invalidForm?.form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [invalidForm]);

  async function trySend(element: HTMLFormElement): Promise<void> {
    setIsValidating(true);
    setServerErrors({});
    if (hasErrors(validate(values))) {
      setInvalidForm({ form: element });
      return;
    }
    setBusy(true);
    const found = await send(values);
    setBusy(false);
    if (!found) return;
    setServerErrors(found);
    setInvalidForm({ form: element });
  }

  return {
    values,
    busy,
    field: (name) => ({
      name,
      value: values[name],
      onValueChange: (value) => {
        setValues((before) => ({ ...before, [name]: value }));
        setServerErrors({});
      },
      error: errors[name],
    }),
    submit: (event) => {
      event.preventDefault();
      if (!busy) void trySend(event.currentTarget);
    },
    clear: () => {
      setValues(initial);
      setIsValidating(false);
      setServerErrors({});
    },
  };
}

/** Without the fields that are right: they must not hide what the server has refused. */
function definedErrors<Name extends string>(errors: FieldErrors<Name>): FieldErrors<Name> {
  const found: FieldErrors<Name> = {};
  for (const name of Object.keys(errors) as Name[]) {
    if (errors[name] !== undefined) found[name] = errors[name];
  }
  return found;
}

function hasErrors(errors: FieldErrors<string>): boolean {
  return Object.values(errors).some((error) => error !== undefined);
}

import { useEffect, useState, type FormEvent } from 'react';

/** Error texts by field. Valid fields may be missing. */
export type FieldErrors<Name extends string> = { [Field in Name]?: string | undefined };

/** What the server did not accept: fields, or with `form` an error of no particular field. */
export type SubmitErrors<Name extends string> = FieldErrors<Name> & { form?: string | undefined };

interface FormOptions<Name extends string> {
  initial: Record<Name, string>;
  /** Returns the errors of the values. */
  validate: (values: Record<Name, string>) => FieldErrors<Name>;
  /** Submits the values. Resolves to the errors, if any. Must not reject. */
  send: (values: Record<Name, string>) => Promise<SubmitErrors<Name> | undefined>;
}

/** The state and the actions of a form. */
export interface Form<Name extends string> {
  values: Record<Name, string>;
  /** Whether `send` is in progress. */
  isBusy: boolean;
  /** The error of the last submit that does not belong to a field. */
  formError: string | undefined;
  /** Returns the properties of a field component. */
  field: (name: Name) => {
    name: Name;
    value: string;
    onValueChange: (value: string) => void;
    error: string | undefined;
  };
  submit: (event: FormEvent<HTMLFormElement>) => void;
  /** Resets the values and the errors. */
  reset: () => void;
}

/**
 * Manages a form's values and errors. Fields are validated from the first submit on. A rejected submit moves
 * the focus to the first invalid field.
 */
export function useForm<Name extends string>(options: FormOptions<Name>): Form<Name> {
  const { initial, validate, send } = options;
  const [values, setValues] = useState(initial);
  const [isValidating, setIsValidating] = useState(false);
  const [serverErrors, setServerErrors] = useState<FieldErrors<Name>>({});
  const [formError, setFormError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  // Wrapped in an object, so that every rejected submit moves the focus, even of the same form.
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
    setIsBusy(true);
    setFormError(undefined);
    const found = await send(values);
    setIsBusy(false);
    if (!found) return;
    setFormError(found.form);
    setServerErrors(found);
    setInvalidForm({ form: element });
  }

  return {
    values,
    isBusy,
    formError,
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
      if (!isBusy) void trySend(event.currentTarget);
    },
    reset: () => {
      setValues(initial);
      setIsValidating(false);
      setServerErrors({});
    },
  };
}

/** Removes undefined errors, which would override the server's errors. */
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

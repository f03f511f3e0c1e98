import { useEffect, useState, type FormEvent } from 'react';

/** What is wrong, by the name of the field; fields that are fine may be left out. */
export type Problems<Name extends string> = { [Field in Name]?: string | undefined };

interface FormOptions<Name extends string> {
  initial: Record<Name, string>;
  /** What is wrong with the values; nothing if they may be sent. */
  check: (values: Record<Name, string>) => Problems<Name>;
  /** Sends them; gives back what the server found wrong with fields, if anything. Must not reject. */
  send: (values: Record<Name, string>) => Promise<Problems<Name> | undefined>;
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
  const { initial, check, send } = options;
  const [values, setValues] = useState(initial);
  const [isStrict, setStrict] = useState(false);
  const [refused, setRefused] = useState<Problems<Name>>({});
  const [busy, setBusy] = useState(false);
  const [corrected, setCorrected] = useState<{ form: HTMLFormElement }>();

  const problems = isStrict ? { ...refused, ...onlyProblems(check(values)) } : refused;

  useEffect(() => {
    corrected?.form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [corrected]);

  async function trySend(element: HTMLFormElement): Promise<void> {
    setStrict(true);
    setRefused({});
    if (hasProblem(check(values))) {
      setCorrected({ form: element });
      return;
    }
    setBusy(true);
    const found = await send(values);
    setBusy(false);
    if (!found) return;
    setRefused(found);
    setCorrected({ form: element });
  }

  return {
    values,
    busy,
    field: (name) => ({
      name,
      value: values[name],
      onValueChange: (value) => {
        setValues((before) => ({ ...before, [name]: value }));
        setRefused({});
      },
      error: problems[name],
    }),
    submit: (event) => {
      event.preventDefault();
      if (!busy) void trySend(event.currentTarget);
    },
    clear: () => {
      setValues(initial);
      setStrict(false);
      setRefused({});
    },
  };
}

/** Without the fields that are right: they must not hide what the server has refused. */
function onlyProblems<Name extends string>(problems: Problems<Name>): Problems<Name> {
  const found: Problems<Name> = {};
  for (const name of Object.keys(problems) as Name[]) {
    if (problems[name] !== undefined) found[name] = problems[name];
  }
  return found;
}

function hasProblem(problems: Problems<string>): boolean {
  return Object.values(problems).some((problem) => problem !== undefined);
}

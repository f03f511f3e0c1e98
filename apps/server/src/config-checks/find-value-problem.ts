import { Value } from 'typebox/value';
import { Variables } from '../config-variables.ts';
import { FORMATS, type Format } from './formats.ts';
import { hideSecrets } from './login-url.ts';

/** Maximum number of characters of a value that a message shows. */
const SHOWN_MAX = 80;
/** What a URL contains that has a password, or a key in its query or fragment. */
const MAY_BE_SECRET = /@|[?#].*(?:key|secret|token|password)/i;
/** Maximum number of characters of a value, unless its format has another one. */
const LENGTH_MAX = 2_000;

/**
 * Returns what is wrong with the value of a variable, as sentences that show the value, unless it is secret, and a
 * right one. `value` has no whitespace around it; `parsed` is what the schema checks.
 */
export function findValueProblem(
  name: keyof Variables,
  value: string,
  parsed: unknown,
): string | undefined {
  const { must, example, secret, max = LENGTH_MAX, hasLines = false, check } = FORMATS[name];
  const reasons: string[] = [];
  const isRight = Value.Check(Variables.properties[name], parsed);
  if (value.length > max) reasons.push(`It has more than ${max} characters.`);
  else if (value === '') reasons.push('Unset it if it is not needed.');
  else if (/^(["']).*\1$/s.test(value)) {
    reasons.push('Remove the quotes around it: not all files with variables allow them.');
  } else if (/\p{Cc}/u.test(hasLines ? value.replaceAll(/\r?\n/g, '') : value)) {
    reasons.push('It contains line breaks or other control characters.');
  } else if (isRight) reasons.push(...(check?.(value) ?? []));
  else if (Value.Check(Variables.properties[name], value.replaceAll(' ', ''))) {
    reasons.push('It contains spaces.');
  }
  if (isRight && reasons.length === 0) return undefined;
  const such = example === undefined ? '' : `, such as ${example}`;
  return [`${name} ${describe(value, secret)} must be ${must}${such}.`, ...reasons].join(' ');
}

/** Describes a value as the middle of a sentence. */
function describe(value: string, secret: Format['secret']): string {
  if (value === '') return 'is blank, but';
  if (secret === 'all') return 'is set to a value that is not shown here, but';
  const isHidden = secret === 'login' || (secret === 'mistaken-login' && MAY_BE_SECRET.test(value));
  const shown = (isHidden ? hideSecrets(value) : value).replaceAll(/\p{Cc}/gu, '\uFFFD');
  return `is '${shown.length > SHOWN_MAX ? `${shown.slice(0, SHOWN_MAX)}…` : shown}', but`;
}

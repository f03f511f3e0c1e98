import { LANGUAGES, type Language } from './languages.ts';

type Values = Readonly<Record<string, string | number>>;

/** Replaces the `{{placeholders}}` of a text with values. */
export function fill(text: string, values: Values): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, name: string) =>
    String(values[name] ?? placeholder),
  );
}

/** Returns the plural form (`key_one`, `key_other`…) for a count, with `{{count}}` filled in. */
export function fillPlural<Key extends string>(
  language: Language,
  texts: Readonly<Record<`${Key}_other`, string>>,
  key: Key,
  count: number,
): string {
  const forms: Readonly<Record<string, unknown>> = texts;
  const text = forms[`${key}_${new Intl.PluralRules(LANGUAGES[language].locale).select(count)}`];
  return fill(typeof text === 'string' ? text : texts[`${key}_other`], { count });
}

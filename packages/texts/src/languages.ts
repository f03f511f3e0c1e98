import type { LanguageDefinition, TextFile, TextFiles } from './language-definition.ts';
import * as registry from './registry.ts';

/** A language of the product: its ISO 639 code. */
export type Language = keyof typeof registry;

/** Every language, by its code. */
export const LANGUAGES: Readonly<Record<Language, LanguageDefinition>> = registry;

/** For users whose own language is not among the product's. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** The code of every language, the default language first, the others in alphabetical order. */
export const LANGUAGE_CODES: readonly Language[] = [
  DEFAULT_LANGUAGE,
  ...(Object.keys(registry) as Language[]).filter((code) => code !== DEFAULT_LANGUAGE).toSorted(),
];

/** Whether a value is the code of a language of this version. */
export function isLanguage(value: unknown): value is Language {
  return (LANGUAGE_CODES as readonly unknown[]).includes(value);
}

/** Returns a stored or received code; one that this version does not know gives the default language. */
export function toLanguage(value: unknown): Language {
  return isLanguage(value) ? value : DEFAULT_LANGUAGE;
}

/** Returns the language of a locale such as `de-AT`, or of the first range of an `Accept-Language` header. */
export function matchLanguage(locale: string | undefined): Language {
  return toLanguage(/^\s*([a-z]+)(?![a-z0-9])/i.exec(locale ?? '')?.[1]?.toLowerCase());
}

/** Loads one file of texts in one language. */
export async function loadTexts<F extends TextFile>(
  language: Language,
  file: F,
): Promise<TextFiles[F]> {
  const { default: texts } = await LANGUAGES[language].texts[file]();
  return texts;
}

/** Loads one file of texts in every language. */
export async function loadEveryLanguage<F extends TextFile>(
  file: F,
): Promise<Record<Language, TextFiles[F]>> {
  const entries = await Promise.all(
    LANGUAGE_CODES.map(async (language) => [language, await loadTexts(language, file)] as const),
  );
  return Object.fromEntries(entries) as Record<Language, TextFiles[F]>;
}

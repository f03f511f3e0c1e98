import type { LanguageDefinition, TextFile, TextFiles } from './language-definition.ts';
import * as registry from './registry.ts';

/** The ISO 639 code of a supported language. */
export type Language = keyof typeof registry;

/** All languages by code. */
export const LANGUAGES: Readonly<Record<Language, LanguageDefinition>> = registry;

/** The language of users whose own language is not supported. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** The codes of all languages: the default language first, the others in alphabetical order. */
export const LANGUAGE_CODES: readonly Language[] = [
  DEFAULT_LANGUAGE,
  ...(Object.keys(registry) as Language[]).filter((code) => code !== DEFAULT_LANGUAGE).toSorted(),
];

/** Returns whether a value is the code of a supported language. */
export function isLanguage(value: unknown): value is Language {
  return (LANGUAGE_CODES as readonly unknown[]).includes(value);
}

/** Returns a stored or received language code, or the default language if it is not supported. */
export function toLanguage(value: unknown): Language {
  return isLanguage(value) ? value : DEFAULT_LANGUAGE;
}

/**
 * Returns the language of a locale such as `de-AT`, or of the first range of an `Accept-Language`
 * header.
 */
export function matchLanguage(locale: string | undefined): Language {
  return toLanguage(/^\s*([a-z]+)(?![a-z0-9])/i.exec(locale ?? '')?.[1]?.toLowerCase());
}

/** Loads a text file in a language. */
export async function loadTexts<F extends TextFile>(
  language: Language,
  file: F,
): Promise<TextFiles[F]> {
  const { default: texts } = await LANGUAGES[language].texts[file]();
  return texts;
}

/** Loads a text file in all languages. */
export async function loadEveryLanguage<F extends TextFile>(
  file: F,
): Promise<Record<Language, TextFiles[F]>> {
  const entries = await Promise.all(
    LANGUAGE_CODES.map(async (language) => [language, await loadTexts(language, file)] as const),
  );
  return Object.fromEntries(entries) as Record<Language, TextFiles[F]>;
}

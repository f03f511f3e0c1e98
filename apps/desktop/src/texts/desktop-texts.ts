import {
  fill,
  fillPlural,
  LANGUAGE_CODES,
  LANGUAGES,
  loadEveryLanguage,
  type Language,
  type TextFiles,
} from '@parley/texts';

/** The texts of the app itself in one language: menus, dialogs, notifications and its own windows. */
export type Texts = TextFiles['desktop'] & { unread: (count: number) => string };

const FILES = await loadEveryLanguage('desktop');

/** Returns the texts of a language. */
export function getTexts(language: Language): Texts {
  const texts = FILES[language];
  return {
    ...texts,
    checkSpelling: fill(texts.checkSpelling, { languages: listLanguageNames(language) }),
    unread: (count) => fillPlural(language, texts, 'unread', count),
  };
}

/** Returns the names of all languages in the given one, which comes first: `English and German`. */
function listLanguageNames(language: Language): string {
  const { locale } = LANGUAGES[language];
  const names = new Intl.DisplayNames(locale, { type: 'language' });
  const codes = [language, ...LANGUAGE_CODES.filter((code) => code !== language)];
  return new Intl.ListFormat(locale).format(codes.map((code) => names.of(code) ?? code));
}

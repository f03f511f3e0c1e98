import type app from '../en/app.json';
import type desktop from '../en/desktop.json';
import type errors from '../en/errors.json';
import type mail from '../en/mail.json';
import type screens from '../en/screens.json';

/** The app's texts with the keys of all English plural forms. */
export type EnglishAppTexts = typeof app & typeof screens;

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many';

/** The keys of the English texts. Of the plural forms, only `_other` is required, which every language has. */
type Translation<T> = {
  [K in keyof T as K extends `${string}_${PluralForm}` ? never : K]: T[K] extends string
    ? string
    : Translation<T[K]>;
};

/** The texts of one language, by file. */
export interface TextFiles {
  /** The app in the browser and on the desktop: the texts of its first load, such as the login page. */
  app: Translation<typeof app>;
  /** The desktop app's own menus, dialogs and notifications. */
  desktop: Translation<typeof desktop>;
  /** The server's error messages, by error code. */
  errors: Translation<typeof errors>;
  /** The server's emails, by purpose. */
  mail: Translation<typeof mail>;
  /** The app's other texts, which it loads with the first screen after the login page. */
  screens: Translation<typeof screens>;
}

/** The name of a text file. */
export type TextFile = keyof TextFiles;

/** A language with its name, locales, spell checker dictionaries and texts. */
export interface LanguageDefinition {
  /** In the language itself. */
  readonly name: string;
  /** BCP 47 tag for plurals and dates. */
  readonly locale: string;
  /** BCP 47 tag for times of day, if they follow another region. */
  readonly timeLocale?: string;
  /** Names of spell checker dictionaries in order of preference. */
  readonly dictionaries: readonly string[];
  /** Loads each file separately, so that the browser fetches only what it needs. */
  readonly texts: { readonly [F in TextFile]: () => Promise<{ default: TextFiles[F] }> };
}

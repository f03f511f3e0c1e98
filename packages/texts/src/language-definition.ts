import type app from '../en/app.json';
import type desktop from '../en/desktop.json';
import type errors from '../en/errors.json';
import type mail from '../en/mail.json';

/** The app's texts with the keys of every plural form, as the English file has them. */
export type EnglishAppTexts = typeof app;

type PluralForm = 'zero' | 'one' | 'two' | 'few' | 'many';

/** The shape of the English texts. Of a plural, languages share only the form `_other`. */
type Translation<T> = {
  [K in keyof T as K extends `${string}_${PluralForm}` ? never : K]: T[K] extends string
    ? string
    : Translation<T[K]>;
};

/** The texts of one language, by file. */
export interface TextFiles {
  /** The app that the browser and the desktop app show. */
  app: Translation<typeof app>;
  /** The desktop app's own menus, dialogs and notifications. */
  desktop: Translation<typeof desktop>;
  /** The server's error messages, by error code. */
  errors: Translation<typeof errors>;
  /** The server's mails, by purpose. */
  mail: Translation<typeof mail>;
}

/** The name of a file of texts. */
export type TextFile = keyof TextFiles;

/** A language: its name, how it writes dates and times, and how its texts are loaded. */
export interface LanguageDefinition {
  /** In the language itself. */
  readonly name: string;
  /** BCP 47 tag for plurals and dates. */
  readonly locale: string;
  /** BCP 47 tag for times of day, where these follow another region. */
  readonly timeLocale?: string;
  /** Names of spell checker dictionaries, the preferred one first. */
  readonly dictionaries: readonly string[];
  /** Each file is loaded on its own, so that the browser fetches only what it shows. */
  readonly texts: { readonly [F in TextFile]: () => Promise<{ default: TextFiles[F] }> };
}

import type app from '../en/app.json';
import type causes from '../en/causes.json';
import type data from '../en/data.json';
import type desktop from '../en/desktop.json';
import type errors from '../en/errors.json';
import type exported from '../en/export.json';
import type information from '../en/information.json';
import type invitations from '../en/invitations.json';
import type list from '../en/list.json';
import type keyboard from '../en/keyboard.json';
import type mail from '../en/mail.json';
import type manifest from '../en/manifest.json';
import type share from '../en/share.json';
import type notifications from '../en/notifications.json';
import type push from '../en/push.json';
import type screens from '../en/screens.json';
import type search from '../en/search.json';
import type dialogs from '../en/dialogs.json';
import type selection from '../en/selection.json';
import type settings from '../en/settings.json';
import type worker from '../en/worker.json';

/** The app's texts with the keys of all English plural forms. */
export type EnglishAppTexts = typeof app &
  typeof causes &
  typeof data &
  typeof dialogs &
  typeof information &
  typeof invitations &
  typeof list &
  typeof settings &
  typeof keyboard &
  typeof notifications &
  typeof screens &
  typeof search &
  typeof selection &
  typeof share;

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
  /** The causes of failures that are rare. Loaded when one of them occurs. */
  causes: Translation<typeof causes>;
  /** Exports of the user's data. Loads with the screens that offer them. */
  data: Translation<typeof data>;
  /** The desktop app's own menus, dialogs and notifications. */
  desktop: Translation<typeof desktop>;
  /** The server's error messages, by error code. */
  errors: Translation<typeof errors>;
  /** The pages of an export of a user's data, which the server makes. */
  export: Translation<typeof exported>;
  /** About us, the privacy policy, and pages that guests seldom need. Loads with them. */
  information: Translation<typeof information>;
  /** Users' invitations and their page. Loads with what shows them. */
  invitations: Translation<typeof invitations>;
  /** What the chat list shows after its rows are there: moves of pinned chats. Loads with their code. */
  list: Translation<typeof list>;
  /** The settings. Loads with them. */
  settings: Translation<typeof settings>;
  /** The keyboard shortcuts and the actions of the switcher. Loads with them. */
  keyboard: Translation<typeof keyboard>;
  /** The server's emails, by purpose. */
  mail: Translation<typeof mail>;
  /** The manifest of the installable web app. */
  manifest: Translation<typeof manifest>;
  /** What other apps share with the app, on phones. */
  share: Translation<typeof share>;
  /** Notifications and their settings. Loads with the texts of the screens. */
  notifications: Translation<typeof notifications>;
  /** The content of push notifications, by what the user wants them to say. */
  push: Translation<typeof push>;
  /** The app's other texts, which it loads with the first screen after the login page. */
  screens: Translation<typeof screens>;
  /** Dialogs about a chat and its partner. Loads with these. */
  dialogs: Translation<typeof dialogs>;
  /** Search, the calendar and the media gallery. Loads with the texts of the screens. */
  search: Translation<typeof search>;
  /** The bar of selected messages. Loads when the user selects one. */
  selection: Translation<typeof selection>;
  /** The service worker's own notifications. */
  worker: Translation<typeof worker>;
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
  /** The time of an event within a sentence, with the words of its day in lower case: `yesterday at 3:37 PM`. */
  readonly inSentence: {
    /** Of a day such as `yesterday`. */
    readonly relative: (day: string, time: string) => string;
    /** Of a date. */
    readonly absolute: (date: string, time: string) => string;
  };
  /** Names of spell checker dictionaries in order of preference. */
  readonly dictionaries: readonly string[];
  /** Loads each file separately, so that the browser fetches only what it needs. */
  readonly texts: { readonly [F in TextFile]: () => Promise<{ default: TextFiles[F] }> };
}

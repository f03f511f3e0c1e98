import {
  EMOJI_SETS,
  EXTERNAL_EMOJI_SETS,
  type EmojiSet,
  type ExternalEmojiSet,
} from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { SKIN_TONES, type SkinTone } from './skin-tones.ts';
import { browserStorage, localRecord } from '../browser/local-record.ts';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** How emoji are displayed: by the system's font or as the images of a set. */
export type EmojiStyle = 'native' | EmojiSet | ExternalEmojiSet;

// apps/web/public/first-paint.js reads the same key.
const THEME_KEY = 'parley.theme';
const storedTheme = () => localRecord<Theme>(THEME_KEY, 'system', parseTheme);

const EMOJI_STYLES: readonly EmojiStyle[] = ['native', ...EMOJI_SETS, ...EXTERNAL_EMOJI_SETS];
const EMOJI_KEY = 'parley.emoji-style';
const storedEmojiStyle = () =>
  localRecord<EmojiStyle>(EMOJI_KEY, 'native', (value) =>
    EMOJI_STYLES.find((style) => style === value),
  );

const SKIN_TONE_KEY = 'parley.skin-tone';
const storedSkinTone = () =>
  localRecord<SkinTone>(SKIN_TONE_KEY, 'neutral', (value) =>
    SKIN_TONES.find((tone) => tone === value),
  );

const OFFLINE_COPY_KEY = 'parley.offline-copy';
const storedOfflineCopyEnabled = () =>
  localRecord<boolean>(OFFLINE_COPY_KEY, true, (value) => (value === false ? false : undefined));

const NOTIFICATIONS_OFF_KEY = 'parley.notifications-off';
const storedNotificationsOff = () =>
  localRecord<boolean>(NOTIFICATIONS_OFF_KEY, false, (value) =>
    value === true ? true : undefined,
  );

/** Whether notifications are to be offered: not before the first message was received, and only once. */
export type NotificationOfferState = 'early' | 'due' | 'answered';

const NOTIFICATION_OFFER_KEY = 'parley.notification-offer';
const storedNotificationOffer = () =>
  localRecord<NotificationOfferState>(NOTIFICATION_OFFER_KEY, 'early', (value) =>
    value === 'due' || value === 'answered' ? value : undefined,
  );

const LETTER_SHORTCUTS_KEY = 'parley.letter-shortcuts';
const storedLetterShortcuts = () =>
  localRecord<boolean>(LETTER_SHORTCUTS_KEY, true, (value) =>
    value === false ? false : undefined,
  );

function parseTheme(value: unknown): Theme | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** Settings of this device, which survive signing out. */
export interface SettingsState {
  theme: Theme;
  /** Applies and stores the theme. */
  setTheme: (theme: Theme) => void;
  emojiStyle: EmojiStyle;
  /** Applies and stores the style. */
  setEmojiStyle: (style: EmojiStyle) => void;
  /** The skin tone of the emoji that the user picks. */
  skinTone: SkinTone;
  /** Applies and stores the skin tone. */
  setSkinTone: (skinTone: SkinTone) => void;
  /** Whether chats are stored on this device for offline use. */
  isOfflineCopyEnabled: boolean;
  setOfflineCopyEnabled: (isOfflineCopyEnabled: boolean) => void;
  /** Whether the user has turned off notifications in this browser, although it allows them. */
  areNotificationsOff: boolean;
  setNotificationsOff: (areNotificationsOff: boolean) => void;
  notificationOffer: NotificationOfferState;
  setNotificationOffer: (offer: 'due' | 'answered') => void;
  /** Whether single letters and `?` are shortcuts outside text fields. */
  hasLetterShortcuts: boolean;
  setLetterShortcuts: (hasLetterShortcuts: boolean) => void;
}

/** The store of the settings of this device. */
export type SettingsStore = StoreApi<SettingsState>;

/** Creates the store with the stored settings and applies the theme. Follows changes in other tabs. */
export function createSettingsStore(): SettingsStore {
  const store = createStore<SettingsState>()((set) => ({
    theme: storedTheme().read(),
    setTheme: (theme) => {
      showTheme(theme);
      if (theme === 'system') storedTheme().remove();
      else storedTheme().write(theme);
      set({ theme });
    },
    emojiStyle: storedEmojiStyle().read(),
    setEmojiStyle: (emojiStyle) => {
      if (emojiStyle === 'native') storedEmojiStyle().remove();
      else storedEmojiStyle().write(emojiStyle);
      set({ emojiStyle });
    },
    skinTone: storedSkinTone().read(),
    setSkinTone: (skinTone) => {
      if (skinTone === 'neutral') storedSkinTone().remove();
      else storedSkinTone().write(skinTone);
      set({ skinTone });
    },
    isOfflineCopyEnabled: storedOfflineCopyEnabled().read(),
    setOfflineCopyEnabled: (isOfflineCopyEnabled) => {
      if (isOfflineCopyEnabled) storedOfflineCopyEnabled().remove();
      else storedOfflineCopyEnabled().write(false);
      set({ isOfflineCopyEnabled });
    },
    areNotificationsOff: storedNotificationsOff().read(),
    setNotificationsOff: (areNotificationsOff) => {
      if (areNotificationsOff) storedNotificationsOff().write(true);
      else storedNotificationsOff().remove();
      set({ areNotificationsOff });
    },
    notificationOffer: storedNotificationOffer().read(),
    setNotificationOffer: (notificationOffer) => {
      storedNotificationOffer().write(notificationOffer);
      set({ notificationOffer });
    },
    hasLetterShortcuts: storedLetterShortcuts().read(),
    setLetterShortcuts: (hasLetterShortcuts) => {
      if (hasLetterShortcuts) storedLetterShortcuts().remove();
      else storedLetterShortcuts().write(false);
      set({ hasLetterShortcuts });
    },
  }));
  showTheme(store.getState().theme);
  browserStorage.onChange((key) => {
    if (key === THEME_KEY || key === null) {
      const theme = storedTheme().read();
      showTheme(theme);
      store.setState({ theme });
    }
    if (key === EMOJI_KEY || key === null) {
      store.setState({ emojiStyle: storedEmojiStyle().read() });
    }
    if (key === SKIN_TONE_KEY || key === null) {
      store.setState({ skinTone: storedSkinTone().read() });
    }
    if (key === NOTIFICATIONS_OFF_KEY || key === null) {
      store.setState({ areNotificationsOff: storedNotificationsOff().read() });
    }
    if (key === NOTIFICATION_OFFER_KEY || key === null) {
      store.setState({ notificationOffer: storedNotificationOffer().read() });
    }
    if (key === LETTER_SHORTCUTS_KEY || key === null) {
      store.setState({ hasLetterShortcuts: storedLetterShortcuts().read() });
    }
    if (key === OFFLINE_COPY_KEY || key === null) {
      store.setState({ isOfflineCopyEnabled: storedOfflineCopyEnabled().read() });
    }
  });
  return store;
}

/** Colors of the browser's toolbars: the background of the screens. They match apps/web/index.html. */
const BAR_COLORS = { light: '#fdfcfb', dark: '#191715' } as const;

function showTheme(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const system = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = BAR_COLORS[theme === 'system' ? system : theme];
  }
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

import {
  EMOJI_SETS,
  FOREIGN_EMOJI_SETS,
  type EmojiSet,
  type ForeignEmojiSet,
} from '@parley/contract';
import { create } from 'zustand';
import { localRecord } from './local-record.ts';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

/** How emoji look: as the system draws them, or as the pictures of a set. */
export type EmojiStyle = 'native' | EmojiSet | ForeignEmojiSet;

// first-paint.js of apps/web reads the same key before the first paint.
const STORAGE_KEY = 'parley.theme';
const stored = () => localRecord<Theme>(STORAGE_KEY, 'system', parseTheme);

const EMOJI_STYLES: readonly EmojiStyle[] = ['native', ...EMOJI_SETS, ...FOREIGN_EMOJI_SETS];
const EMOJI_KEY = 'parley.emoji-style';
const storedEmojiStyle = () =>
  localRecord<EmojiStyle>(EMOJI_KEY, 'native', (value) =>
    EMOJI_STYLES.find((style) => style === value),
  );

function parseTheme(value: unknown): Theme | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** What is set for this device only; it stays when a person signs out. */
export interface SettingsState {
  theme: Theme;
  /** Shows the theme at once and keeps it. */
  setTheme: (theme: Theme) => void;
  emojiStyle: EmojiStyle;
  /** Shows the style at once and keeps it. */
  setEmojiStyle: (style: EmojiStyle) => void;
}

/** `restoreSettings` fills it before the first screen. */
export const useSettings = create<SettingsState>()((set) => ({
  theme: 'system',
  setTheme: (theme) => {
    showTheme(theme);
    if (theme === 'system') stored().forget();
    else stored().write(theme);
    set({ theme });
  },
  emojiStyle: 'native',
  setEmojiStyle: (emojiStyle) => {
    if (emojiStyle === 'native') storedEmojiStyle().forget();
    else storedEmojiStyle().write(emojiStyle);
    set({ emojiStyle });
  },
}));

/** Takes over what was set before, and what another tab sets from now on. */
export function restoreSettings(): void {
  restoreTheme();
  restoreEmojiStyle();
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) restoreTheme();
    if (key === EMOJI_KEY || key === null) restoreEmojiStyle();
  });
}

function restoreEmojiStyle(): void {
  useSettings.setState({ emojiStyle: storedEmojiStyle().read() });
}

function restoreTheme(): void {
  const theme = stored().read();
  showTheme(theme);
  useSettings.setState({ theme });
}

/** Colours of the browser's own bars: the screens' background, as apps/web/index.html has them. */
const BAR_COLOURS = { light: '#fdfcfb', dark: '#191715' } as const;

function showTheme(theme: Theme): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const system = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = BAR_COLOURS[theme === 'system' ? system : theme];
  }
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

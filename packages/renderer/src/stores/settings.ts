import { create } from 'zustand';
import { localRecord } from './local-record.ts';

/** `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

// theme.js of apps/web reads the same key before the first paint.
const STORAGE_KEY = 'parley.theme';
const stored = () => localRecord<Theme>(STORAGE_KEY, 'system', parseTheme);

function parseTheme(value: unknown): Theme | undefined {
  return value === 'light' || value === 'dark' ? value : undefined;
}

/** What is set for this device only; it stays when a person signs out. */
export interface SettingsState {
  theme: Theme;
  /** Shows the theme at once and keeps it. */
  setTheme: (theme: Theme) => void;
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
}));

/** Takes over what was set before, and what another tab sets from now on. */
export function restoreSettings(): void {
  restoreTheme();
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) restoreTheme();
  });
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

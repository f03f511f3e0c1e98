import { LANGUAGE_CODES, LANGUAGES } from '@parley/texts';
import {
  CircleUserRound,
  Info,
  Keyboard,
  Languages,
  LogOut,
  Monitor,
  Moon,
  Settings,
  Sun,
  UserPlus,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useSettings } from '../../app/app-context.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useLanguageSetting } from '../../shared/settings/use-language-setting.ts';
import type { ShortcutDialogProps } from './shortcut-dialogs.ts';
import type { SwitcherAction } from './switcher-action.ts';

const THEMES = [
  ['system', 'themeSystem', Monitor],
  ['light', 'themeLight', Sun],
  ['dark', 'themeDark', Moon],
] as const;

/** Returns what the switcher can do besides opening chats: other screens, settings and the logout. */
export function useSwitcherActions({
  onShowShortcuts,
  onSignOut,
}: Pick<ShortcutDialogProps, 'onShowShortcuts' | 'onSignOut'>): SwitcherAction[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { theme, setTheme } = useSettings((state) => state);
  const language = useLanguageSetting();
  const opens = (path: string) => ({ movesFocus: true, run: () => void navigate(path) });
  return [
    {
      id: 'new-chat',
      name: t('actions.newChat'),
      words: t('actions.newChatWords'),
      icon: UserPlus,
      ...opens(PATHS.findUser),
    },
    {
      id: 'settings',
      name: t('frame.settings'),
      words: t('actions.settingsWords'),
      icon: Settings,
      ...opens(PATHS.settings),
    },
    ...THEMES.map(([value, key, icon]) => ({
      id: `theme-${value}`,
      name: t('actions.theme', { name: t(`settings.${key}`) }),
      words: t('actions.themeWords'),
      icon,
      isCurrent: theme === value,
      movesFocus: false,
      run: () => setTheme(value),
    })),
    ...LANGUAGE_CODES.map((code) => ({
      id: `language-${code}`,
      name: t('actions.language', { name: LANGUAGES[code].name }),
      words: t('actions.languageWords'),
      icon: Languages,
      isCurrent: language.shown === code,
      movesFocus: false,
      run: () => language.change(code),
    })),
    {
      id: 'profile',
      name: t('frame.profile'),
      words: t('actions.profileWords'),
      icon: CircleUserRound,
      ...opens(PATHS.profile),
    },
    {
      id: 'about',
      name: t('frame.about'),
      words: t('actions.aboutWords'),
      icon: Info,
      ...opens(PATHS.about),
    },
    {
      id: 'logout',
      name: t('frame.logout'),
      words: t('actions.logoutWords'),
      icon: LogOut,
      movesFocus: false,
      run: onSignOut,
    },
    // Arrow Up selects it first, so it is nothing that cannot be undone.
    {
      id: 'shortcuts',
      name: t('shortcuts.title'),
      words: t('actions.shortcutsWords'),
      icon: Keyboard,
      movesFocus: true,
      run: onShowShortcuts,
    },
  ];
}

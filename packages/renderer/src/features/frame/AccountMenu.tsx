import {
  ChevronDown,
  CircleUserRound,
  ExternalLink,
  Info,
  Keyboard,
  LogOut,
  Settings,
  ShieldCheck,
} from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useUser } from '../../app/app-context.ts';
import { useLoadScreenTexts } from '../../i18n/use-language.ts';
import { PATHS } from '../../navigation/paths.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { DropdownMenu, MenuItem, MenuLink, MenuSeparator } from '../../ui/DropdownMenu.tsx';
import { toastError } from '../../ui/show-toast.ts';
import { loadShortcutsDialog } from '../shortcuts/shortcut-dialogs.ts';
import type { ShortcutsDialog } from '../shortcuts/ShortcutsDialog.tsx';
import css from './AccountMenu.module.css';
import { SignOutDialog } from './SignOutDialog.tsx';
import { useSignOut } from './use-sign-out.ts';

/** The current user's avatar, which opens the menu with the profile, the settings, the shortcuts and the logout. */
export function AccountMenu() {
  const { t } = useTranslation();
  const { username } = useUser();
  const loadTexts = useLoadScreenTexts();
  const { signOut, ...question } = useSignOut();
  const [shortcuts, setShortcuts] = useState<{ Dialog: typeof ShortcutsDialog }>();
  const openShortcuts = (): void => {
    loadShortcutsDialog(loadTexts).then(
      (Dialog) => setShortcuts({ Dialog }),
      () => toastError(t('app.screenFailed')),
    );
  };
  return (
    <>
      <DropdownMenu
        trigger={
          <button
            type="button"
            className={css.trigger}
            aria-label={t('frame.menu', { name: username })}
            title={username}
          >
            <Avatar name={username} size={32} />
            <ChevronDown className={css.chevron} />
          </button>
        }
      >
        <MenuLink render={<Link to={PATHS.profile} />} icon={<CircleUserRound />}>
          {t('frame.profile')}
        </MenuLink>
        <MenuLink render={<Link to={PATHS.settings} />} icon={<Settings />}>
          {t('frame.settings')}
        </MenuLink>
        <MenuLink render={<Link to={PATHS.about} />} icon={<Info />}>
          {t('frame.about')}
        </MenuLink>
        <MenuLink
          render={<Link to={PATHS.privacy} target="_blank" rel="noopener" />}
          icon={<ShieldCheck />}
          trailing={
            <span className={css.trailing}>
              <ExternalLink />
              <span className="visually-hidden">({t('app.newTab')})</span>
            </span>
          }
        >
          {t('frame.privacy')}
        </MenuLink>
        <MenuItem icon={<Keyboard />} onClick={openShortcuts}>
          {t('shortcuts.title')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<LogOut />} onClick={signOut}>
          {t('frame.logout')}
        </MenuItem>
      </DropdownMenu>
      {shortcuts && <shortcuts.Dialog onClose={() => setShortcuts(undefined)} />}
      <SignOutDialog {...question} />
    </>
  );
}

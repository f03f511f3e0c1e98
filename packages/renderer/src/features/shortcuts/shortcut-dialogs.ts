import type { ComponentType } from 'react';
import type { LoadScreenTexts } from '../../i18n/use-language.ts';
import type { ShortcutsDialog } from './ShortcutsDialog.tsx';

/** What a dialog can do besides closing. */
export interface ShortcutDialogProps {
  onClose: () => void;
  /** Shows all shortcuts instead. */
  onShowShortcuts: () => void;
  onSignOut: () => void;
}

/** Loads the code and the texts of the dialog with all shortcuts. */
export async function loadShortcutsDialog(
  loadTexts: LoadScreenTexts,
): Promise<typeof ShortcutsDialog> {
  const [module] = await Promise.all([import('./ShortcutsDialog.tsx'), loadTexts('keyboard')]);
  return module.ShortcutsDialog;
}

/** Loads the code and the texts of the switcher, which can also change settings. */
export async function loadSwitcher(
  loadTexts: LoadScreenTexts,
): Promise<ComponentType<ShortcutDialogProps>> {
  const [module] = await Promise.all([
    import('./ChatSwitcher.tsx'),
    loadTexts('keyboard', 'settings'),
  ]);
  return module.ChatSwitcher;
}

/** The dialogs that shortcuts open, whose code is loaded then. */
export const shortcutDialogs = {
  help: async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog,
  switcher: async () => (await import('./ChatSwitcher.tsx')).ChatSwitcher,
};

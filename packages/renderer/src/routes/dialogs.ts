/** The dialogs whose code is loaded when they are opened. */
export const dialogs = {
  block: async () => (await import('../features/people/BlockDialog.tsx')).BlockDialog,
  report: async () => (await import('../features/people/ReportDialog.tsx')).ReportDialog,
  shortcuts: async () =>
    (await import('../features/shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
  switcher: async () => (await import('../features/shortcuts/ChatSwitcher.tsx')).ChatSwitcher,
};

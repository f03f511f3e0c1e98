/** The dialogs whose code is loaded when they are opened. */
export const dialogs = {
  block: async () => (await import('../features/people/BlockDialog.tsx')).BlockDialog,
  report: async () => (await import('../features/people/ReportDialog.tsx')).ReportDialog,
};

/** The parts of screens that invite friends. Their code is loaded once it is needed. */
export const invitationParts = {
  firstSteps: async () => (await import('./FirstSteps.tsx')).FirstSteps,
  inviteDialog: async () => (await import('./InviteDialog.tsx')).InviteDialog,
};

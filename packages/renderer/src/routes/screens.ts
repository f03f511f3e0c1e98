import type { ComponentType } from 'react';
import { searchResults } from '../features/chat-list/search/load-search-results.ts';
import { ScreenLoadError } from '../navigation/screen-load-error.ts';
import { invitationParts } from '../shared/invitations/invitation-parts.ts';

/** Loads the code of a screen. */
export type ScreenLoader = () => Promise<ComponentType>;

/** The screens for guests, except for the login page, which is part of the first load. */
export const guestScreens = {
  register: async () => (await import('../features/register/RegisterPage.tsx')).RegisterPage,
  verify: async () => (await import('../features/verify/VerifyPage.tsx')).VerifyPage,
  forgotPassword: async () =>
    (await import('../features/reset/ForgotPasswordPage.tsx')).ForgotPasswordPage,
  newPassword: async () => (await import('../features/reset/NewPasswordPage.tsx')).NewPasswordPage,
  deletedAccount: async () =>
    (await import('../features/deleted-account/DeletedAccountPage.tsx')).DeletedAccountPage,
} satisfies Record<string, ScreenLoader>;

/** The screens for signed-in users, and the frame around them. */
export const signedInScreens = {
  frame: async () => (await import('../features/frame/SignedInFrame.tsx')).SignedInFrame,
  noChatOpen: async () => (await import('../features/frame/NoChatOpen.tsx')).NoChatOpen,
  chatroom: async () => (await import('../features/chatroom/ChatroomPage.tsx')).ChatroomPage,
  gallery: async () => (await import('../features/chatroom/gallery/GalleryPage.tsx')).GalleryPage,
  findUser: async () => (await import('../features/find-user/FindUserPage.tsx')).FindUserPage,
  newChatroom: async () =>
    (await import('../features/new-chatroom/NewChatroomPage.tsx')).NewChatroomPage,
  settings: async () => (await import('../features/settings/SettingsPage.tsx')).SettingsPage,
  profile: async () => (await import('../features/profile/ProfilePage.tsx')).ProfilePage,
  about: async () => (await import('../features/about/AboutPage.tsx')).AboutPage,
  share: async () => (await import('../features/share/SharePage.tsx')).SharePage,
} satisfies Record<string, ScreenLoader>;

/** Parts of screens whose code is loaded once they are needed. */
export const lazyParts = { searchResults: searchResults.load, ...invitationParts };

/** The screens for guests and users. */
export const publicScreens = {
  restoreEmail: async () =>
    (await import('../features/restore-email/RestoreEmailPage.tsx')).RestoreEmailPage,
  invite: async () => (await import('../features/invite/InvitePage.tsx')).InvitePage,
  privacy: async () => (await import('../features/privacy/PrivacyPage.tsx')).PrivacyPage,
  notFound: async () => (await import('../features/not-found/NotFoundPage.tsx')).NotFoundPage,
} satisfies Record<string, ScreenLoader>;

/** What users see in place of a screen for guests, to log out. Rejects with a `ScreenLoadError`. */
export async function signOutFirst(): Promise<ComponentType> {
  try {
    return (await import('../features/frame/SignOutFirst.tsx')).SignOutFirst;
  } catch (error) {
    throw new ScreenLoadError(error);
  }
}

/** Wraps a screen and its texts for the router's `lazy`. The result rejects with a `ScreenLoadError`. */
export function lazyScreen(
  screen: ScreenLoader,
  loadTexts: () => Promise<void>,
): () => Promise<{ Component: ComponentType }> {
  return async () => {
    try {
      const [Component] = await Promise.all([screen(), loadTexts()]);
      return { Component };
    } catch (error) {
      throw new ScreenLoadError(error);
    }
  };
}

/**
 * Loads the texts and the screens one after the other, so that the screens open immediately, even offline.
 * Whatever fails to load is loaded again on demand.
 */
export async function preloadScreens(
  screens: Record<string, () => Promise<unknown>>,
  loadTexts: () => Promise<void>,
): Promise<void> {
  for (const load of [loadTexts, ...Object.values(screens)]) {
    await load().catch(() => undefined);
  }
}

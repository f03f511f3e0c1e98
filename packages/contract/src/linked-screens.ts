/** Invitations and the screens of a user. Those for guests and public pages have windows of their own. */
const LINKED_SCREENS = /^\/(?:invite|chatarea(?:\/.*)?|settings|profile|about-us)$/;

/** Returns whether a link to a path of the server opens a screen within the app, and no page beside it. */
export function isLinkedScreen(path: string): boolean {
  return LINKED_SCREENS.test(path);
}

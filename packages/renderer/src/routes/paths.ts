/** Every address of the application. */
export const PATHS = {
  login: '/',
  register: '/register',
  verify: '/register/verify',
  forgotPassword: '/forgot-pw',
  newPassword: '/new-pw',
  privacy: '/privacy',
  deletedAccount: '/account-deleted',
  chats: '/chatarea',
  findUser: '/chatarea/exist',
  settings: '/settings',
  profile: '/profile',
  about: '/about-us',
  notFound: '/404',
} as const;

/** A room that exists. */
export function chatPath(chatId: string): string {
  return `${PATHS.chats}/chats/${encodeURIComponent(chatId)}`;
}

/** The first message to somebody. */
export function newChatPath(username: string): string {
  return `${PATHS.chats}/chats/new-chatroom/${encodeURIComponent(username)}`;
}

const FOR_STRANGERS: ReadonlySet<string> = new Set([
  PATHS.login,
  PATHS.register,
  PATHS.verify,
  PATHS.forgotPassword,
  PATHS.newPassword,
  PATHS.privacy,
  PATHS.deletedAccount,
  PATHS.notFound,
]);

/** Whether a path is shown to somebody who is not signed in. */
export function isOpenToStrangers(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path;
  return FOR_STRANGERS.has(trimmed);
}

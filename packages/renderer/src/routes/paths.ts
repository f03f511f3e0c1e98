import { generatePath } from 'react-router-dom';

/** Every address of the application, as the router has it. */
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
  chatroom: '/chatarea/chats/:id',
  newChatroom: '/chatarea/chats/new-chatroom/:username',
  settings: '/settings',
  profile: '/profile',
  about: '/about-us',
  notFound: '/404',
} as const;

/** A room that exists. */
export function chatPath(chatId: string): string {
  return generatePath(PATHS.chatroom, { id: chatId });
}

/** The first message to somebody. */
export function newChatPath(username: string): string {
  return generatePath(PATHS.newChatroom, { username });
}

const PUBLIC_PATHS: ReadonlySet<string> = new Set([
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
export function isPublicPath(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path;
  return PUBLIC_PATHS.has(trimmed);
}

import { generatePath } from 'react-router-dom';

/** The route patterns of the application. */
export const PATHS = {
  login: '/',
  register: '/register',
  verify: '/register/verify',
  forgotPassword: '/forgot-pw',
  newPassword: '/new-pw',
  privacy: '/privacy',
  deletedAccount: '/account-deleted',
  invite: '/invite',
  chats: '/chatarea',
  findUser: '/chatarea/exist',
  chatroom: '/chatarea/chats/:id',
  newChatroom: '/chatarea/chats/new-chatroom/:username',
  settings: '/settings',
  profile: '/profile',
  about: '/about-us',
  notFound: '/404',
} as const;

/** Returns the path of an existing chatroom. */
export function chatPath(chatroomId: string): string {
  return generatePath(PATHS.chatroom, { id: chatroomId });
}

/** Returns the path for writing the first message to a user. */
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
  PATHS.invite,
  PATHS.notFound,
]);

/** Returns whether guests may see a path. */
export function isPublicPath(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/+$/, '') : path;
  return PUBLIC_PATHS.has(trimmed);
}

import { SHARE_PATH } from '@parley/contract';
import { generatePath, matchPath } from 'react-router-dom';

/** The route patterns of the application. */
export const PATHS = {
  login: '/',
  register: '/register',
  verify: '/register/verify',
  forgotPassword: '/forgot-pw',
  newPassword: '/new-pw',
  restoreEmail: '/email-restore',
  privacy: '/privacy',
  deletedAccount: '/account-deleted',
  invite: '/invite',
  chats: '/chatarea',
  findUser: '/chatarea/exist',
  chatroom: '/chatarea/chats/:id',
  message: '/chatarea/chats/:id/messages/:seq',
  gallery: '/chatarea/chats/:id/media',
  newChatroom: '/chatarea/chats/new-chatroom/:username',
  settings: '/settings',
  profile: '/profile',
  about: '/about-us',
  share: SHARE_PATH,
  notFound: '/404',
} as const;

/** Returns the path of an existing chatroom. */
export function chatPath(chatroomId: string): string {
  return generatePath(PATHS.chatroom, { id: chatroomId });
}

/** Returns the path of the images, recordings and links of a chatroom. */
export function galleryPath(chatroomId: string): string {
  return generatePath(PATHS.gallery, { id: chatroomId });
}

/** Returns the chatroom to which a path belongs, if any. */
export function chatroomIdOfPath(path: string): string | undefined {
  const match = matchPath(PATHS.chatroom, screenPath(path)) ?? matchPath(PATHS.gallery, path);
  return match?.params.id;
}

/** Returns the path of a message in a chatroom. */
export function messagePath(chatroomId: string, seq: number): string {
  return generatePath(PATHS.message, { id: chatroomId, seq: String(seq) });
}

/** Returns the `seq` of the message to which a path leads: 0 if it is malformed, undefined for other paths. */
export function seqOfPath(path: string): number | undefined {
  const seq = matchPath(PATHS.message, path)?.params.seq;
  if (seq === undefined) return undefined;
  return /^[1-9]\d{0,14}$/.test(seq) ? Number(seq) : 0;
}

/** Returns the path of the screen that a path shows, which for a message is its chatroom. */
export function screenPath(path: string): string {
  const id = matchPath(PATHS.message, path)?.params.id;
  return id === undefined ? path : chatPath(id);
}

/** The parameter of a chatroom's path that focuses the text box, as the user wants to reply. */
export const REPLY_PARAM = 'reply';

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
  PATHS.restoreEmail,
  PATHS.privacy,
  PATHS.deletedAccount,
  PATHS.invite,
  PATHS.notFound,
]);

/** Returns whether guests may see a path. */
export function isPublicPath(path: string): boolean {
  return PUBLIC_PATHS.has(withoutEndingSlashes(path));
}

/** Returns whether a path for users shows nothing of the user, so that it can be shown before the user is known. */
export function isStaticPath(path: string): boolean {
  return withoutEndingSlashes(path) === PATHS.about;
}

function withoutEndingSlashes(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') : path;
}

import type { EndpointName, endpoints, ResponseBody, UploadResponse } from '@parley/contract';
import {
  hasFields,
  isBoolean,
  isNumber,
  isText,
  listOf,
  objectWith,
  type FieldCheck,
} from './responses.ts';

/** The endpoints that clients call for JSON. They load files by their URLs. */
type JsonEndpoint = {
  [Name in EndpointName]: (typeof endpoints)[Name]['access'] extends 'operator'
    ? never
    : [ResponseBody<Name>] extends [never]
      ? never
      : ResponseBody<Name> extends object
        ? Name
        : never;
}[EndpointName];

/** Checks of fields that a response must have, so that one of a captive portal is not taken for it. */
type Checks = {
  readonly [Name in JsonEndpoint]: { readonly [Key in keyof ResponseBody<Name>]?: FieldCheck };
};

const isSender = objectWith({ username: isText });
const message = { _id: isText, chatroom: isText, seq: isNumber, rev: isNumber, sender: isSender };
const isChatState = objectWith({
  chatId: isText,
  rev: isNumber,
  memberRev: isNumber,
  status: isText,
});
const changedChat = { chat: isChatState };
const done = { ok: (value: unknown) => value === true };
const invitation = { id: isText, code: isText };
const dataExport = { id: isText, status: isText, done: isNumber, total: isNumber };
const upload = { id: isText, url: isText };
const isRange = objectWith({ start: isNumber, end: isNumber });
const isHit = objectWith({
  message: objectWith({ ...message, content: isText, kind: isText, createdAt: isText }),
  excerpt: objectWith({ text: isText, ranges: listOf(isRange) }),
});

const CHECKS: Checks = {
  getConfig: { apiVersion: isNumber },
  register: { username: isText },
  verify: { isVerified: isBoolean },
  resendKey: done,
  login: { isVerified: isBoolean },
  logout: done,
  clearBrowserCache: done,
  requestReset: done,
  resetPassword: done,
  changePassword: done,
  requestEmailChange: done,
  confirmEmailChange: { usermail: isText },
  cancelEmailChange: done,
  restoreEmail: { usermail: isText },
  getCurrentUser: { username: isText },
  changeLanguage: { language: isText },
  changeVolume: { volume: isText },
  deleteAccount: done,
  changeSettings: { volume: isText },
  listSessions: { sessions: listOf(objectWith({ id: isText })) },
  endOtherSessions: done,
  endSession: done,
  findUser: { chatroom: isText, partnerName: isText },
  createChatroom: { chatroomId: isText },
  listChats: {
    chatrooms: listOf(
      objectWith({ chatId: isText, usernames: Array.isArray, timestamps: Array.isArray }),
    ),
    currentUsername: isText,
  },
  getChatroom: {
    chatroomMessages: listOf(objectWith({ ...message, content: isText })),
    currentUsername: isText,
    partnerName: isText,
    unreadMessagesCount: isNumber,
  },
  markAsRead: changedChat,
  reportDelivered: done,
  listChanges: { rooms: Array.isArray, gone: Array.isArray, hasMore: isBoolean },
  acceptChat: changedChat,
  declineRequest: changedChat,
  deleteChat: changedChat,
  blockPartner: changedChat,
  unblockPartner: changedChat,
  changeChatSettings: changedChat,
  orderPinnedChats: { chats: listOf(isChatState) },
  listBlocked: { blocked: listOf(objectWith({ chatId: isText, username: isText })) },
  listInvitations: { invitations: listOf(objectWith(invitation)) },
  createInvitation: invitation,
  revokeInvitation: done,
  previewInvitation: { username: isText },
  redeemInvitation: { chatroomId: isText },
  getNotifications: {
    settings: objectWith({ content: isText }),
    publicKey: isText,
    devices: listOf(objectWith({ sessionId: isText })),
  },
  changeNotifications: { content: isText },
  subscribePush: done,
  unsubscribePush: done,
  testPush: { result: isText },
  listExports: { exports: listOf(objectWith(dataExport)) },
  createExport: dataExport,
  deleteExport: done,
  createReport: done,
  sendMessage: message,
  editMessage: message,
  deleteMessage: { _id: isText, seq: isNumber, rev: isNumber },
  reactToMessage: message,
  searchMessages: { hits: listOf(isHit) },
  uploadImage: upload,
  uploadAudio: upload,
  copyMedia: upload,
};

/** Returns whether a response is one to an upload. */
export function isUploadResponse(response: unknown): response is UploadResponse {
  return hasFields(response, upload);
}

/** Returns whether a response of an endpoint has the expected fields, and no `errorMessage`. */
export function isResponseOf<Name extends EndpointName>(
  name: Name,
  response: unknown,
): response is ResponseBody<Name> {
  if (hasFields(response, { errorMessage: isText })) return false;
  return !Object.hasOwn(CHECKS, name) || hasFields(response, CHECKS[name as JsonEndpoint]);
}

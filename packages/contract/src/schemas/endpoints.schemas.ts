import { Type, type TSchema } from 'typebox';
import { EMOJI_SETS } from '../emoji.ts';
import { endpoints, type EndpointName } from '../endpoints.ts';
import type { ErrorCode } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { AccountSettings, ChangedSettings } from './account-settings.schemas.ts';
import * as accounts from './accounts.schemas.ts';
import * as chatrooms from './chatrooms.schemas.ts';
import { Done } from './common.schemas.ts';
import { PublicConfig } from './config.schemas.ts';
import * as exported from './exports.schemas.ts';
import { HandshakeErrorResponse } from './live.schemas.ts';
import {
  AudioForm,
  CopyMediaBody,
  ImageForm,
  MediaHeaders,
  MediaParams,
  UploadResponse,
} from './media.schemas.ts';
import * as invitations from './invitations.schemas.ts';
import * as messages from './messages.schemas.ts';
import { Health, Readiness } from './monitoring.schemas.ts';
import * as notifications from './notifications.schemas.ts';
import { ReportBody } from './reports.schemas.ts';
import { SearchBody, SearchResponse } from './search.schemas.ts';
import { SessionList, SessionParams } from './sessions.schemas.ts';

/** The sections of the documentation, by the resources at the beginning of the paths. */
const SECTIONS = {
  config: 'server',
  avatars: 'avatars',
  emoji: 'emoji',
  users: 'accounts',
  sessions: 'sessions',
  chatrooms: 'chatrooms',
  invitations: 'invitations',
  notifications: 'notifications',
  exports: 'exports',
  reports: 'reports',
  messages: 'messages',
  upload: 'media',
  media: 'media',
} as const;

/** A section of the documentation. */
export type Tag = (typeof SECTIONS)[keyof typeof SECTIONS];

/** Returns the section of the documentation that contains an endpoint. Other endpoints are not documented. */
export function findTag(name: EndpointName): Tag | undefined {
  const resource = endpoints[name].path.split('/').find((part) => part !== '' && part !== 'api');
  return new Map<string | undefined, Tag>(Object.entries(SECTIONS)).get(resource);
}

/** A class of rate limits shared by endpoints. The server defines the limits. */
export type RateLimitClass =
  | 'login'
  | 'logins'
  | 'keys'
  | 'mail'
  | 'register'
  | 'registrations'
  | 'password'
  | 'settings'
  | 'search'
  | 'invite'
  | 'preview'
  | 'export'
  | 'download'
  | 'report'
  | 'push'
  | 'upload'
  | 'inspection'
  | 'send'
  | 'change'
  | 'read'
  | 'sync'
  | 'changes'
  | 'find'
  | 'media'
  | 'connect';

/** A non-JSON response by media type. */
interface FileResponse {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** Maximum number of bytes of a JSON body, enough for most of them if all characters are escaped. */
export const SHORT_BODY_MAX = 16 * 1024;

/** Maximum number of bytes of a JSON body with a message, or with a field for each chatroom. */
export const LONG_BODY_MAX = 256 * 1024;

/** The properties of an endpoint besides its method, path and access. */
export interface EndpointSchema {
  readonly summary: string;
  readonly description?: string;
  readonly limit?: RateLimitClass | readonly RateLimitClass[];
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Whether the body may be longer than {@link SHORT_BODY_MAX}, up to {@link LONG_BODY_MAX}. */
  readonly hasLongBody?: true;
  /** Media type of a non-JSON body, which the endpoint parses itself. */
  readonly consumes?: string;
  /** Responses by status, except error responses. */
  readonly responses: Readonly<Record<number, TSchema | FileResponse>>;
  readonly errors: readonly ErrorCode[];
  /**
   * How HEAD requests are handled: by the handler of GET, or not at all. By default, the response
   * of GET is sent without its body.
   */
  readonly head?: 'handler' | 'none';
}

/** Errors of all read-only endpoints for users. */
const READ_ERRORS = ['unauthenticated', 'rate_limited', 'internal', 'unavailable'] as const;

/** Errors of all endpoints for users with a JSON body. */
const WRITE_ERRORS = [
  ...READ_ERRORS,
  'invalid_request',
  'foreign_origin',
  'too_large',
  'unsupported_media',
  'storage_full',
] as const;

/** Errors of all endpoints for guests with a JSON body. */
const GUEST_WRITE_ERRORS = [
  'invalid_request',
  'foreign_origin',
  'too_large',
  'unsupported_media',
  'rate_limited',
  'internal',
  'unavailable',
  'storage_full',
] as const;

const UPLOAD_ERRORS = [
  ...WRITE_ERRORS,
  'media_too_complex',
  'quota_media',
  'recording_too_long',
  'too_slow',
] as const;

/** Creates a response whose body the handler writes itself. */
function file(mediaType: string, description: string): FileResponse {
  const schema = mediaType === '*/*' ? Type.Any() : Type.Unsafe<unknown>({ type: 'string' });
  return { description, content: { [mediaType]: { schema } } };
}

/**
 * The half of the endpoint table that only the server and its documentation need. See `endpoints`.
 */
export const endpointSchemas = {
  getConfig: {
    summary: 'The public configuration of the server',
    responses: { 200: PublicConfig },
    errors: [],
  },
  getDocs: {
    summary: 'This documentation as a page',
    responses: { 200: file('text/html', 'The page') },
    errors: [],
  },
  getOpenApi: {
    summary: 'This documentation for programs',
    responses: { 200: file('application/json', 'OpenAPI 3.1') },
    errors: [],
  },
  getDocsFile: {
    summary: 'A file of the documentation',
    params: Type.Object({ file: Type.String() }),
    responses: { 200: file('*/*', 'The file') },
    errors: ['not_found'],
  },
  getAvatar: {
    summary: 'The robot avatar generated from a name',
    params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: Type.Object({
      v: Type.Optional(Type.String({ description: 'As in `avatarUrl` of the configuration' })),
    }),
    responses: {
      200: file('image/svg+xml', 'An image of 180 by 180 pixels'),
      304: Type.Null({ description: 'The image has not changed' }),
    },
    errors: ['invalid_request', 'unavailable'],
  },
  getEmoji: {
    summary: "The image of an emoji in one of the server's sets",
    params: Type.Object({
      set: Type.Union(EMOJI_SETS.map((set) => Type.Literal(set))),
      file: Type.String({
        pattern: '^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5}){0,11}\\.svg$',
        description: 'Code points without fe0f, such as 2764.svg or 1f468-200d-1f4bb.svg',
      }),
    }),
    responses: {
      200: file('image/svg+xml', 'A square image'),
      304: Type.Null({ description: 'The image has not changed' }),
    },
    errors: ['invalid_request', 'not_found'],
  },

  register: {
    summary: 'Register an account and send its verification key by email',
    limit: ['register', 'registrations'],
    body: accounts.RegisterBody,
    responses: { 201: accounts.RegisterResponse },
    errors: [
      ...GUEST_WRITE_ERRORS,
      'registration_closed',
      'invitation_invalid',
      'domain_not_allowed',
      'email_not_supported',
      'username_not_allowed',
      'account_taken',
    ],
  },
  verify: {
    summary: 'Verify an account with the emailed key',
    limit: 'keys',
    body: accounts.VerifyBody,
    responses: { 200: accounts.VerifyResponse },
    errors: [...GUEST_WRITE_ERRORS, 'already_verified', 'key_mismatch'],
  },
  resendKey: {
    summary: 'Request a new verification key',
    description: 'The response does not reveal whether the address is awaiting verification.',
    limit: 'mail',
    body: accounts.EmailBody,
    responses: { 202: Done },
    errors: GUEST_WRITE_ERRORS,
  },
  login: {
    summary: 'Log in, which creates a session if the account is verified',
    description:
      'With the correct password, the response says whether the operator has suspended the account.',
    limit: ['login', 'logins'],
    body: accounts.LoginBody,
    responses: { 200: accounts.VerifiedResponse },
    errors: [...GUEST_WRITE_ERRORS, 'account_suspended', 'wrong_credentials'],
  },
  logout: {
    summary: 'End the session, if there is one',
    responses: { 200: Done },
    errors: ['foreign_origin', 'internal', 'unavailable', 'storage_full'],
    // The GET request changes state, so there is no HEAD request.
    head: 'none',
  },
  clearBrowserCache: {
    summary: 'Let the browser empty its cache of this site, after the end of a session',
    description:
      'The response has the header `Clear-Site-Data: "cache"`, which browsers obey over HTTPS. Chromium passes such a response on, and applies its cookies, only seconds later, when its cache is empty. Therefore no other response has it, and clients should not wait for this one.',
    responses: { 200: Done },
    errors: ['foreign_origin', 'internal', 'unavailable'],
  },
  requestReset: {
    summary: 'Request a reset key by email',
    limit: 'mail',
    body: accounts.EmailBody,
    responses: { 200: Done },
    errors: [...GUEST_WRITE_ERRORS, 'user_not_found'],
  },
  resetPassword: {
    summary: 'Set a new password with a reset key and end every session of the account',
    limit: 'keys',
    body: accounts.NewPasswordBody,
    responses: { 200: Done },
    errors: [...GUEST_WRITE_ERRORS, 'reset_key_wrong', 'user_not_found'],
  },
  changePassword: {
    summary: 'Change the password and end every other session of the account',
    limit: 'password',
    body: accounts.PasswordChangeBody,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'wrong_password'],
  },
  requestEmailChange: {
    summary: 'Send a key to the email address that the user wants to change to',
    description:
      'The response does not reveal whether another account has the address, whose owner gets another email then. A further request replaces an earlier one.',
    limit: ['password', 'mail'],
    body: accounts.EmailChangeBody,
    responses: { 202: Done },
    errors: [
      ...WRITE_ERRORS,
      'domain_not_allowed',
      'email_not_supported',
      'wrong_password',
      'already_verified',
    ],
  },
  confirmEmailChange: {
    summary: 'Change the email address with the key that was sent to it',
    description:
      'For 7 days, the address of before can take the account back with the link that is emailed to it.',
    limit: 'keys',
    body: accounts.VerifyBody,
    responses: { 200: accounts.UsermailResponse },
    errors: [...WRITE_ERRORS, 'key_mismatch', 'account_taken'],
  },
  cancelEmailChange: {
    summary: 'Discard the email address that the user wants to change to',
    limit: 'settings',
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },
  restoreEmail: {
    summary: 'Take an account back to its former email address',
    description:
      'Ends every session of the account, makes its password invalid, and emails a reset key to the address.',
    limit: 'preview',
    body: accounts.RestoreEmailBody,
    responses: { 200: accounts.UsermailResponse },
    errors: [...GUEST_WRITE_ERRORS, 'link_invalid'],
  },
  getCurrentUser: {
    summary: 'The account of the current user',
    limit: 'sync',
    responses: { 200: accounts.CurrentUser },
    errors: READ_ERRORS,
  },
  changeLanguage: {
    summary: 'Set the language of the app and of emails',
    limit: 'settings',
    body: accounts.LanguageBody,
    responses: { 200: accounts.LanguageBody },
    errors: WRITE_ERRORS,
  },
  changeVolume: {
    summary: 'Set the sound volume',
    limit: 'settings',
    body: accounts.VolumeBody,
    responses: { 200: accounts.VolumeResponse },
    errors: WRITE_ERRORS,
  },
  changeSettings: {
    summary: 'Change settings of the account',
    limit: 'settings',
    body: ChangedSettings,
    responses: { 200: AccountSettings },
    errors: WRITE_ERRORS,
  },
  deleteAccount: {
    summary: 'Delete the account and everything the user sent',
    limit: 'settings',
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },

  listSessions: {
    summary: 'The sessions of the current user, most recently used first',
    limit: 'settings',
    responses: { 200: SessionList },
    errors: READ_ERRORS,
  },
  endOtherSessions: {
    summary: 'End every session except the current one',
    limit: 'settings',
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },
  endSession: {
    summary: 'End a session',
    limit: 'settings',
    params: SessionParams,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'not_found'],
  },

  findUser: {
    summary: 'Find a user and their existing chatroom with the current user',
    description: 'If the user has written first, this accepts their messages.',
    limit: 'search',
    body: chatrooms.FindUserBody,
    responses: { 200: chatrooms.FindUserResponse },
    errors: [...WRITE_ERRORS, 'partner_blocked', 'self_search', 'user_not_found'],
  },
  createChatroom: {
    summary: 'Send a first message, which creates the chatroom',
    description:
      'Two users share at most one chatroom. If it exists, the message is sent to it. ' +
      'Either `content` or `uploadId` is required.',
    limit: ['search', 'send'],
    body: chatrooms.CreateChatroomBody,
    hasLongBody: true,
    responses: { 201: chatrooms.CreateChatroomResponse },
    errors: [
      ...WRITE_ERRORS,
      'self_chat',
      'quota_messages',
      'user_not_found',
      'message_not_found',
      'media_not_found',
      'partner_blocked',
      'not_accepting_messages',
    ],
  },
  listChats: {
    summary: 'The chat list of the current user',
    limit: 'sync',
    responses: { 200: chatrooms.ChatList },
    errors: READ_ERRORS,
  },
  getChatroom: {
    summary: 'A chatroom with a page of messages',
    limit: 'sync',
    params: chatrooms.ChatroomParams,
    query: chatrooms.PageQuery,
    responses: { 200: chatrooms.Chatroom },
    errors: [...READ_ERRORS, 'invalid_request', 'room_not_found'],
  },
  markAsRead: {
    summary: 'Mark a chatroom as read up to a message or to the newest one',
    limit: 'read',
    params: chatrooms.ChatroomParams,
    body: chatrooms.MarkAsReadBody,
    responses: { 200: chatrooms.ChangedChat },
    errors: [...WRITE_ERRORS, 'room_not_found'],
  },
  reportDelivered: {
    summary: 'Report which messages have reached a device',
    description:
      'The partner is told as far as both share receipts. Chatrooms that are not, or no longer, those ' +
      'of the current user are ignored.',
    limit: 'read',
    body: chatrooms.DeliveredBody,
    hasLongBody: true,
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },
  listChanges: {
    summary: "Changes of chatrooms since the client's revisions",
    limit: 'changes',
    body: chatrooms.ChangesBody,
    hasLongBody: true,
    responses: { 200: chatrooms.Changes },
    errors: WRITE_ERRORS,
  },

  acceptChat: {
    summary: 'Accept the partner of a chatroom',
    description: 'Sending a message accepts the partner as well.',
    limit: 'settings',
    params: chatrooms.ChatroomParams,
    responses: { 200: chatrooms.ChangedChat },
    errors: [...WRITE_ERRORS, 'room_not_found'],
  },
  declineRequest: {
    summary: 'Delete a message request for the current user',
    description: 'The partner is not notified. The next message of the partner is a new request.',
    limit: 'settings',
    params: chatrooms.ChatroomParams,
    responses: { 200: chatrooms.ChangedChat },
    errors: [...WRITE_ERRORS, 'room_not_found', 'already_accepted'],
  },
  deleteChat: {
    summary: 'Delete a chat for the current user only',
    description:
      'Messages of both members up to `seq` no longer exist for the user. Later ones stay. Pinning, archiving and the mark as unread end; muting, consent and a block stay. The chat is not listed again before a later message, or before the user searches for the partner. The partner is not notified and keeps the messages. Uploads of the user in them still count towards the quota. Exports of the chat are deleted, and one of the whole account that is not finished begins again without it. One that is finished stays as it is.',
    limit: 'change',
    params: chatrooms.ChatroomParams,
    body: chatrooms.DeleteChatBody,
    responses: { 200: chatrooms.ChangedChat },
    errors: [...WRITE_ERRORS, 'room_not_found'],
  },
  blockPartner: {
    summary: 'Block the partner of a chatroom',
    description:
      'The partner is not notified. Messages that the partner sends from now on are never delivered, even after unblocking.',
    limit: 'settings',
    params: chatrooms.ChatroomParams,
    responses: { 200: chatrooms.ChangedChat },
    errors: [...WRITE_ERRORS, 'room_not_found'],
  },
  unblockPartner: {
    summary: 'Unblock the partner of a chatroom',
    limit: 'settings',
    params: chatrooms.ChatroomParams,
    responses: { 200: chatrooms.ChangedChat },
    errors: [...WRITE_ERRORS, 'room_not_found'],
  },
  changeChatSettings: {
    summary: 'Pin, archive, mute or mark as unread a chat for the current user',
    description:
      'Changes only the given settings. The partner is not notified. Requests and blocked chats have no settings.',
    limit: 'change',
    params: chatrooms.ChatroomParams,
    body: chatrooms.ChatSettingsBody,
    responses: { 200: chatrooms.ChangedChat },
    errors: [
      ...WRITE_ERRORS,
      'room_not_found',
      'partner_deleted',
      'partner_blocked',
      'request_not_accepted',
      'pin_limit',
    ],
  },
  orderPinnedChats: {
    summary: 'Sort the pinned chats of the current user',
    description:
      'Of two orders, the later request wins. Chats that are not pinned are ignored, and pinned chats that are not given stay above the others. A chat is above all others when it is pinned.',
    limit: 'change',
    body: chatrooms.PinOrderBody,
    responses: { 200: chatrooms.PinnedChats },
    errors: WRITE_ERRORS,
  },
  listBlocked: {
    summary: 'The users whom the current user has blocked, most recently blocked first',
    limit: 'settings',
    responses: { 200: chatrooms.BlockedList },
    errors: READ_ERRORS,
  },

  listInvitations: {
    summary: 'The usable invitations of the current user, newest first',
    limit: 'settings',
    responses: { 200: invitations.InvitationList },
    errors: READ_ERRORS,
  },
  createInvitation: {
    summary: 'Create an invitation link',
    description: `A user has at most ${LIMITS.invitationsMax} usable invitations.`,
    limit: 'invite',
    body: invitations.InvitationBody,
    responses: { 201: invitations.Invitation },
    errors: [...WRITE_ERRORS, 'quota_invitations'],
  },
  revokeInvitation: {
    summary: 'Revoke an invitation',
    limit: 'settings',
    params: invitations.InvitationParams,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'not_found'],
  },
  previewInvitation: {
    summary: 'Find out who created an invitation, and whether it allows registration',
    description:
      'The response is the same for invitations that are unknown, used up, expired or revoked, and for those of users who are deleted, suspended or accept no first messages.',
    limit: 'preview',
    body: invitations.InvitationCodeBody,
    responses: { 200: invitations.InvitationPreview },
    errors: [...GUEST_WRITE_ERRORS, 'invitation_invalid'],
  },
  redeemInvitation: {
    summary: 'Use an invitation to start an accepted chat with its creator',
    description:
      'If both have accepted each other already, this returns their chatroom and does not use up the invitation.',
    limit: 'search',
    body: invitations.InvitationCodeBody,
    responses: { 200: invitations.RedeemResponse },
    errors: [...WRITE_ERRORS, 'self_chat', 'invitation_invalid'],
  },

  getNotifications: {
    summary:
      'The settings of notifications, the devices with push messages and the key of the server',
    limit: 'sync',
    responses: { 200: notifications.Notifications },
    errors: READ_ERRORS,
  },
  changeNotifications: {
    summary: 'Set what notifications say and when it is quiet',
    description: 'Changes the given settings and returns all of them.',
    limit: 'settings',
    body: notifications.NotificationSettingsBody,
    responses: { 200: notifications.NotificationSettings },
    errors: WRITE_ERRORS,
  },
  subscribePush: {
    summary: 'Send push messages to this session',
    description:
      'Replaces the subscription of the session. Clients repeat the request at each start. The server ' +
      'sends messages only to https on port 443 of public addresses and to what its operator allows.',
    limit: 'settings',
    body: notifications.PushSubscriptionBody,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'push_endpoint_refused'],
  },
  unsubscribePush: {
    summary: 'Send no more push messages to this session',
    limit: 'settings',
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },
  testPush: {
    summary: 'Send a test notification to a session of the current user',
    description:
      'Settings do not apply to it. `not_found` means that the session has no push messages.',
    limit: 'push',
    body: notifications.PushTestBody,
    responses: { 200: notifications.PushTestResponse },
    errors: [...WRITE_ERRORS, 'not_found'],
  },

  listExports: {
    summary: 'The exports of the current user, newest first',
    limit: 'sync',
    responses: { 200: exported.ExportList },
    errors: READ_ERRORS,
  },
  createExport: {
    summary: 'Make an archive with the data of the current user, or with one chat',
    description: `The archive is made in the background. A user can have one that is not finished, and ${LIMITS.exportsMax} in all: a further one replaces the oldest.`,
    // `export` counts only accepted exports.
    limit: ['settings', 'export'],
    body: exported.ExportBody,
    responses: { 202: exported.DataExport },
    errors: [...WRITE_ERRORS, 'room_not_found', 'export_unfinished'],
  },
  deleteExport: {
    summary: 'Delete an export, or stop making it',
    limit: 'settings',
    params: exported.ExportParams,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'not_found'],
  },
  getExportFile: {
    summary: 'The archive of an export of the current user that is ready',
    description:
      'A ZIP file with pages for browsers, whose first is `index.html`, and the same as JSON. It can be downloaded for a day, in ranges, unless the server needs the space before: then the export has failed.',
    limit: 'download',
    params: exported.ExportParams,
    headers: exported.ExportFileHeaders,
    responses: {
      200: file('application/zip', 'The archive'),
      206: file('application/zip', 'A range of the archive'),
      416: Type.Null({ description: 'The archive does not contain the range' }),
    },
    errors: [...READ_ERRORS, 'invalid_request', 'not_found'],
    head: 'handler',
  },

  createReport: {
    summary: 'Report the partner in a chatroom to the operator of the server',
    description:
      'The operator gets copies of the messages with their pictures and recordings, up to 10 MiB, the names of both users and the comment. The copies stay if the partner changes or deletes the messages. The partner is not notified.',
    // `report` counts only accepted reports.
    limit: ['settings', 'report'],
    body: ReportBody,
    responses: { 201: Done },
    errors: [...WRITE_ERRORS, 'partner_deleted', 'room_not_found', 'message_not_found'],
  },

  sendMessage: {
    summary: 'Send a message',
    description:
      'Either `content` or `uploadId` is required. Sending the same `clientId` again returns 200 with the existing message.',
    limit: 'send',
    body: messages.SendBody,
    hasLongBody: true,
    responses: { 200: messages.Message, 201: messages.Message },
    errors: [
      ...WRITE_ERRORS,
      'partner_deleted',
      'quota_messages',
      'room_not_found',
      'message_not_found',
      'media_not_found',
      'partner_blocked',
    ],
  },
  editMessage: {
    summary: 'Edit a text message of the current user',
    limit: 'change',
    body: messages.EditBody,
    hasLongBody: true,
    responses: { 200: messages.Message },
    errors: [
      ...WRITE_ERRORS,
      'media_not_editable',
      'not_sender',
      'partner_deleted',
      'message_not_found',
      'partner_blocked',
    ],
  },
  deleteMessage: {
    summary: 'Delete a message of the current user for both members',
    limit: 'change',
    body: messages.DeleteBody,
    hasLongBody: true,
    responses: { 200: messages.DeletedMessage },
    errors: [...WRITE_ERRORS, 'not_sender', 'message_not_found'],
  },
  reactToMessage: {
    summary: 'React to a message with an emoji, or take the reaction back',
    description: `Repeating a request changes nothing. A user can react to a message with up to ${LIMITS.reactionsMax} emoji.`,
    limit: 'change',
    body: messages.ReactBody,
    responses: { 200: messages.Message },
    errors: [
      ...WRITE_ERRORS,
      'partner_deleted',
      'message_not_found',
      'partner_blocked',
      'request_not_accepted',
      'reaction_limit',
    ],
  },
  searchMessages: {
    summary: 'Search the messages that the current user sees',
    description:
      'The newest messages come first. `search_too_short` means that no word is long enough to be ' +
      'searched for in all chatrooms.',
    limit: 'find',
    body: SearchBody,
    responses: { 200: SearchResponse },
    errors: [...WRITE_ERRORS, 'room_not_found', 'search_too_short'],
  },

  uploadImage: {
    summary: 'Upload an image to send as a message',
    limit: ['upload', 'inspection'],
    consumes: 'multipart/form-data',
    body: ImageForm,
    responses: { 201: UploadResponse },
    errors: UPLOAD_ERRORS,
  },
  uploadAudio: {
    summary: 'Upload a recording to send as a message',
    limit: ['upload', 'inspection'],
    consumes: 'multipart/form-data',
    body: AudioForm,
    responses: { 201: UploadResponse },
    errors: UPLOAD_ERRORS,
  },
  copyMedia: {
    summary: 'Copy the image or recording of a message that the user sees, to send it again',
    description:
      'The copy is an upload of the user. `media_not_found` means that the message is a text.',
    limit: 'upload',
    body: CopyMediaBody,
    responses: { 201: UploadResponse },
    errors: [
      ...WRITE_ERRORS,
      'quota_media',
      'message_not_found',
      'media_not_found',
      'media_blocked',
    ],
  },
  getMedia: {
    summary: 'An uploaded file, for its uploader and the members of the chatroom',
    limit: 'media',
    params: MediaParams,
    headers: MediaHeaders,
    responses: {
      200: file('*/*', 'The file'),
      206: file('*/*', 'A range of the file'),
      304: Type.Null({ description: 'The file has not changed' }),
      416: Type.Null({ description: 'The file does not contain the range' }),
    },
    errors: [...READ_ERRORS, 'invalid_request', 'media_not_found', 'media_blocked'],
    head: 'handler',
  },

  connect: {
    summary: 'Open the live connection',
    limit: 'connect',
    responses: { 400: HandshakeErrorResponse },
    errors: ['unauthenticated', 'foreign_origin', 'rate_limited', 'internal', 'unavailable'],
    head: 'none',
  },

  getHealth: {
    summary: 'Whether the process is alive',
    responses: { 200: Health },
    errors: [],
  },
  getReadiness: {
    summary:
      'Whether the server is ready: the database is writable and the disk has free space. Also says which build it is',
    responses: { 200: Readiness, 503: Readiness },
    errors: [],
  },
  getMetrics: {
    summary: 'Metrics for Prometheus',
    responses: { 200: file('text/plain', 'The metrics') },
    errors: ['not_found'],
  },
} satisfies Readonly<Record<EndpointName, EndpointSchema>>;

import { Type, type TSchema } from 'typebox';
import { EMOJI_SETS } from '../emoji.ts';
import type { EndpointName } from '../endpoints.ts';
import type { ErrorCode } from '../errors.ts';
import * as accounts from './accounts.ts';
import * as chatrooms from './chatrooms.ts';
import { Done } from './common.ts';
import { PublicConfig } from './config.ts';
import { HandshakeRefusal } from './live.ts';
import { AudioForm, ImageForm, MediaHeaders, MediaParams, UploadResponse } from './media.ts';
import * as messages from './messages.ts';
import { Health, Readiness } from './monitoring.ts';
import { SessionList, SessionParams } from './sessions.ts';

/** A section of the documentation. */
export type Tag =
  | 'accounts'
  | 'sessions'
  | 'chatrooms'
  | 'messages'
  | 'media'
  | 'avatars'
  | 'emoji'
  | 'server';

/** A set of rate limits that endpoints share. The server decides how much each lets through. */
export type RateLimitClass =
  | 'login'
  | 'keys'
  | 'mail'
  | 'register'
  | 'password'
  | 'settings'
  | 'search'
  | 'upload'
  | 'send'
  | 'change'
  | 'read'
  | 'sync'
  | 'changes'
  | 'connect';

/** A response that is not JSON, by media type. */
interface FileResponse {
  readonly description: string;
  readonly content: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** What is known of an endpoint besides its method, path and access. */
export interface EndpointSchema {
  readonly summary: string;
  readonly description?: string;
  /** Without one, the endpoint is not in the documentation. */
  readonly tag?: Tag;
  readonly limit?: RateLimitClass | readonly RateLimitClass[];
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Media type of the body where it is not JSON. The endpoint reads such a body itself. */
  readonly consumes?: string;
  /** Responses by status, except those that an error code stands for. */
  readonly responses: Readonly<Record<number, TSchema | FileResponse>>;
  readonly errors: readonly ErrorCode[];
  /** How HEAD is served where not by the handler of GET without its body: by the same handler, or not at all. */
  readonly head?: 'handler' | 'none';
}

/** Errors of every endpoint for users that only reads. */
const READ_ERRORS = ['unauthenticated', 'rate_limited', 'internal', 'unavailable'] as const;

/** Errors of every endpoint for users that takes a JSON body. */
const WRITE_ERRORS = [
  ...READ_ERRORS,
  'invalid_request',
  'foreign_origin',
  'too_large',
  'unsupported_media',
  'storage_full',
] as const;

/** Errors of every endpoint for guests that takes a JSON body. */
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

/** A response whose body the handler writes itself. */
function file(mediaType: string, description: string): FileResponse {
  const schema = mediaType === '*/*' ? Type.Any() : Type.Unsafe<unknown>({ type: 'string' });
  return { description, content: { [mediaType]: { schema } } };
}

/** The half of the endpoint table that only the server and its documentation need. See `endpoints`. */
export const endpointSchemas = {
  getConfig: {
    tag: 'server',
    summary: 'What every client may know before anybody signs in',
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
    tag: 'avatars',
    summary: 'The robot that is drawn from a name',
    params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
    query: Type.Object({
      v: Type.Optional(Type.String({ description: 'As in `avatarUrl` of the configuration' })),
    }),
    responses: {
      200: file('image/svg+xml', 'A picture of 180 by 180'),
      304: Type.Null({ description: 'The picture has not changed' }),
    },
    errors: ['invalid_request', 'unavailable'],
  },
  getEmoji: {
    tag: 'emoji',
    summary: 'The picture of an emoji in one of the sets that this server has',
    params: Type.Object({
      set: Type.Union(EMOJI_SETS.map((set) => Type.Literal(set))),
      file: Type.String({
        pattern: '^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5}){0,11}\\.svg$',
        description: 'Code points without fe0f, such as 2764.svg or 1f468-200d-1f4bb.svg',
      }),
    }),
    responses: {
      200: file('image/svg+xml', 'A square picture'),
      304: Type.Null({ description: 'The picture has not changed' }),
    },
    errors: ['invalid_request', 'not_found'],
  },

  register: {
    tag: 'accounts',
    summary: 'Register an account; its verification key comes by mail',
    limit: 'register',
    body: accounts.RegisterBody,
    responses: { 201: accounts.RegisterResponse },
    errors: [
      ...GUEST_WRITE_ERRORS,
      'registration_closed',
      'invitation_invalid',
      'domain_not_allowed',
      'username_not_allowed',
      'account_taken',
    ],
  },
  verify: {
    tag: 'accounts',
    summary: 'Verify an account by the key that was mailed',
    limit: 'keys',
    body: accounts.VerifyBody,
    responses: { 200: accounts.VerifiedResponse },
    errors: [...GUEST_WRITE_ERRORS, 'already_verified', 'key_mismatch'],
  },
  resendKey: {
    tag: 'accounts',
    summary: 'Ask for a new verification key',
    description: 'The answer is the same whether or not the address waits for one.',
    limit: 'mail',
    body: accounts.EmailBody,
    responses: { 202: Done },
    errors: GUEST_WRITE_ERRORS,
  },
  login: {
    tag: 'accounts',
    summary: 'Log in; a session begins if the account is verified',
    limit: 'login',
    body: accounts.LoginBody,
    responses: { 200: accounts.VerifiedResponse },
    errors: [...GUEST_WRITE_ERRORS, 'wrong_credentials'],
  },
  logout: {
    tag: 'accounts',
    summary: 'End the session, if there is one',
    responses: { 200: Done },
    errors: ['foreign_origin', 'internal', 'unavailable', 'storage_full'],
    // Changes something, though by GET.
    head: 'none',
  },
  requestReset: {
    tag: 'accounts',
    summary: 'Ask for a reset key by mail',
    limit: 'mail',
    body: accounts.EmailBody,
    responses: { 200: Done },
    errors: [...GUEST_WRITE_ERRORS, 'user_not_found'],
  },
  resetPassword: {
    tag: 'accounts',
    summary: 'Set a new password by the reset key; every session of the account ends',
    limit: 'keys',
    body: accounts.NewPasswordBody,
    responses: { 200: Done },
    errors: [...GUEST_WRITE_ERRORS, 'reset_key_wrong', 'user_not_found'],
  },
  changePassword: {
    tag: 'accounts',
    summary: 'Change the password; every other session of the account ends',
    limit: 'password',
    body: accounts.PasswordChangeBody,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'wrong_password'],
  },
  getCurrentUser: {
    tag: 'accounts',
    summary: "The person's own account",
    limit: 'sync',
    responses: { 200: accounts.CurrentUser },
    errors: READ_ERRORS,
  },
  changeLanguage: {
    tag: 'accounts',
    summary: 'Choose the language of the screens and mails',
    limit: 'settings',
    body: accounts.LanguageBody,
    responses: { 200: accounts.LanguageBody },
    errors: WRITE_ERRORS,
  },
  changeVolume: {
    tag: 'accounts',
    summary: 'Choose how loud sounds are',
    limit: 'settings',
    body: accounts.VolumeBody,
    responses: { 200: accounts.VolumeResponse },
    errors: WRITE_ERRORS,
  },
  deleteAccount: {
    tag: 'accounts',
    summary: 'Delete the account with all that its person sent',
    limit: 'settings',
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },

  listSessions: {
    tag: 'sessions',
    summary: 'Where the person is signed in, the session used last first',
    limit: 'settings',
    responses: { 200: SessionList },
    errors: READ_ERRORS,
  },
  endOtherSessions: {
    tag: 'sessions',
    summary: 'End every session but the one that asks',
    limit: 'settings',
    responses: { 200: Done },
    errors: WRITE_ERRORS,
  },
  endSession: {
    tag: 'sessions',
    summary: 'End one session',
    limit: 'settings',
    params: SessionParams,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'not_found'],
  },

  findUser: {
    tag: 'chatrooms',
    summary: 'Find a person, and the room that the two already have',
    limit: 'search',
    body: chatrooms.FindUserBody,
    responses: { 200: chatrooms.FindUserResponse },
    errors: [...WRITE_ERRORS, 'self_search', 'user_not_found'],
  },
  createChatroom: {
    tag: 'chatrooms',
    summary: 'Send a first message, which makes the room',
    description: 'Two people have at most one room: if it exists, the message goes there.',
    limit: ['search', 'send'],
    body: chatrooms.CreateChatroomBody,
    responses: { 201: chatrooms.CreateChatroomResponse },
    errors: [...WRITE_ERRORS, 'self_chat', 'quota_messages', 'user_not_found', 'message_not_found'],
  },
  listChats: {
    tag: 'chatrooms',
    summary: "All of the reader's chats",
    limit: 'sync',
    responses: { 200: chatrooms.ChatList },
    errors: READ_ERRORS,
  },
  getChatroom: {
    tag: 'chatrooms',
    summary: 'A room with one page of its messages',
    limit: 'sync',
    params: chatrooms.ChatroomParams,
    query: chatrooms.PageQuery,
    responses: { 200: chatrooms.Chatroom },
    errors: [...READ_ERRORS, 'invalid_request', 'room_not_found'],
  },
  markAsRead: {
    tag: 'chatrooms',
    summary: 'Mark a room as read, up to a message or to the newest',
    limit: 'read',
    params: chatrooms.ChatroomParams,
    body: chatrooms.MarkAsReadBody,
    responses: { 200: chatrooms.MarkAsReadResponse },
    errors: [...WRITE_ERRORS, 'room_not_found'],
  },
  listChanges: {
    tag: 'chatrooms',
    summary: 'What changed in rooms since revisions that a client has',
    limit: 'changes',
    body: chatrooms.ChangesBody,
    responses: { 200: chatrooms.Changes },
    errors: WRITE_ERRORS,
  },

  sendMessage: {
    tag: 'messages',
    summary: 'Send a message',
    description: 'A repeated `clientId` answers 200 with the message that it first made.',
    limit: 'send',
    body: messages.SendBody,
    responses: { 200: messages.Message, 201: messages.Message },
    errors: [
      ...WRITE_ERRORS,
      'partner_deleted',
      'quota_messages',
      'room_not_found',
      'message_not_found',
    ],
  },
  editMessage: {
    tag: 'messages',
    summary: 'Change the text of an own message',
    limit: 'change',
    body: messages.EditBody,
    responses: { 200: messages.Message },
    errors: [
      ...WRITE_ERRORS,
      'media_not_editable',
      'not_sender',
      'partner_deleted',
      'message_not_found',
    ],
  },
  deleteMessage: {
    tag: 'messages',
    summary: 'Delete an own message for both',
    limit: 'change',
    body: messages.DeleteBody,
    responses: { 200: Done },
    errors: [...WRITE_ERRORS, 'not_sender', 'message_not_found'],
  },

  uploadImage: {
    tag: 'media',
    summary: 'Upload a picture, to be sent as a message',
    limit: 'upload',
    consumes: 'multipart/form-data',
    body: ImageForm,
    responses: { 201: UploadResponse },
    errors: UPLOAD_ERRORS,
  },
  uploadAudio: {
    tag: 'media',
    summary: 'Upload a recording, to be sent as a message',
    limit: 'upload',
    consumes: 'multipart/form-data',
    body: AudioForm,
    responses: { 201: UploadResponse },
    errors: UPLOAD_ERRORS,
  },
  getMedia: {
    tag: 'media',
    summary: 'An upload, for who made it and for the members of the room it was sent to',
    params: MediaParams,
    headers: MediaHeaders,
    responses: {
      200: file('*/*', 'The file'),
      206: file('*/*', 'A part of it'),
      304: Type.Null({ description: 'The file has not changed' }),
      416: Type.Null({ description: 'The file has no such part' }),
    },
    errors: [...READ_ERRORS, 'invalid_request', 'media_not_found', 'media_blocked'],
    head: 'handler',
  },

  connect: {
    summary: 'Open the live connection',
    limit: 'connect',
    responses: { 400: HandshakeRefusal },
    errors: ['unauthenticated', 'foreign_origin', 'rate_limited', 'internal', 'unavailable'],
    head: 'none',
  },

  getHealth: {
    summary: 'Whether the process is alive',
    responses: { 200: Health },
    errors: [],
  },
  getReadiness: {
    summary: 'Whether the server can do its work: the database is writable, the disk has room',
    responses: { 200: Readiness, 503: Readiness },
    errors: [],
  },
  getMetrics: {
    summary: 'What the server counts, for Prometheus',
    responses: { 200: file('text/plain', 'The metrics') },
    errors: ['not_found'],
  },
} satisfies Readonly<Record<EndpointName, EndpointSchema>>;

import { MUTED_ALWAYS, type ClientSignals, type ServerEvents } from '@parley/contract';
import { changeConsent, expectStatus } from './chatting.ts';
import type { TestUser } from './harness.ts';

/** A chat in which a user acts. */
export interface ActedChat {
  readonly user: TestUser;
  readonly room: string;
  /** The ids of a message of the user and of an unread one of the partner. */
  readonly ownMessageId: string;
  readonly partnerMessageId: string;
}

/** What a user does so that the server sends an event. */
export interface EventCase {
  /** Calls the API. */
  readonly act?: (chat: ActedChat) => Promise<void>;
  /** Or the signal that the user's device sends. */
  readonly signal?: (chatroom: string) => SignalCall;
  /** Whether the user has not accepted the partner before. */
  readonly isUndecided?: boolean;
  /** Returns whether an event with this name is due to what the user does; by default all that name the chatroom. */
  readonly isCaused?: (payload: never, room: string) => boolean;
}

/** A signal and its payload. */
export type SignalCall = {
  [Name in keyof ClientSignals]: readonly [name: Name, payload: ClientSignals[Name]];
}[keyof ClientSignals];

/** A case for each event of a table. One that is missing is a type error. */
export type EventCases<Events> = Readonly<Record<keyof Events, EventCase>>;

function call(
  method: string,
  path: string | ((chat: ActedChat) => string),
  body?: (chat: ActedChat) => object,
): Required<Pick<EventCase, 'act'>> {
  return {
    act: async (chat) => {
      const url = typeof path === 'string' ? path : path(chat);
      const response = await chat.user.request(method, url, body?.(chat));
      if (response.status !== 201) expectStatus(response, 200);
    },
  };
}

const chatPath = (action: string) => (chat: ActedChat) =>
  `/api/chatrooms/chats/${chat.room}/${action}`;

/** A case for each live event. */
export const EVENT_CASES: EventCases<ServerEvents> = {
  message: call('POST', '/api/messages/send', ({ room }) => ({ chatroom: room, content: 'new' })),
  'message-update': call('PATCH', '/api/messages/edit', ({ ownMessageId }) => ({
    messageId: ownMessageId,
    content: 'edited',
  })),
  'message-delete': call('DELETE', '/api/messages/delete', ({ ownMessageId }) => ({
    messageId: ownMessageId,
  })),
  reaction: call('POST', '/api/messages/react', ({ partnerMessageId }) => ({
    messageId: partnerMessageId,
    emoji: '👍',
    isOn: true,
  })),
  chat: { act: ({ user, room }) => changeConsent(user, room, 'block') },
  typing: { signal: (chatroom) => ['typing', { chatroom }] },
  presence: {
    signal: () => ['presence', { isActive: true }],
    // Complete events also name partners who are not online.
    isCaused: ({ rooms }: ServerEvents['presence'], room) => rooms[room]?.isOnline === true,
  },
  'notification-settings': {
    ...call('PATCH', '/api/notifications', () => ({ content: 'none' })),
    isCaused: () => true,
  },
  settings: {
    ...call('PATCH', '/api/users/settings', () => ({ language: 'de' })),
    isCaused: () => true,
  },
  email: {
    act: async ({ user }) => {
      const body = { email: `${user.id}@new.example`, password: 'password' };
      expectStatus(await user.request('POST', '/api/users/email', body), 202);
    },
    isCaused: () => true,
  },
  'session-ended': { ...call('GET', '/api/users/logout'), isCaused: () => true },
};

/** A further way in which a user changes a chat, and whose devices are sent its state. */
export interface ChatCase {
  readonly act: (chat: ActedChat) => Promise<void>;
  readonly isUndecided?: boolean;
  /** Whether the user's devices are told. */
  readonly isOwn: boolean;
  /** Whether the partner's devices are told unless the partner blocks the user. */
  readonly isTold: boolean;
  /** Whether the partner is told only if both have accepted, the user does not block, and both share receipts. */
  readonly isReceipt?: boolean;
}

/** A case for each way in which the event `chat` arises. */
export const CHAT_CASES: Readonly<Record<string, ChatCase>> = {
  'reads it': {
    ...call('POST', chatPath('mark-as-read')),
    isOwn: true,
    isTold: true,
    isReceipt: true,
  },
  'reports what has arrived': {
    ...call(
      'POST',
      () => '/api/chatrooms/delivered',
      ({ room }) => ({ rooms: { [room]: 2 } }),
    ),
    isOwn: false,
    isTold: true,
    isReceipt: true,
  },
  'deletes a message': {
    ...call('DELETE', '/api/messages/delete', ({ ownMessageId }) => ({ messageId: ownMessageId })),
    isOwn: true,
    isTold: true,
  },
  'deletes the account': { ...call('DELETE', '/api/users/delete'), isOwn: false, isTold: true },
  'accepts the partner': {
    ...call('POST', chatPath('accept')),
    isUndecided: true,
    isOwn: true,
    isTold: true,
  },
  'accepts the partner by a response': {
    ...call('POST', '/api/messages/send', ({ room }) => ({ chatroom: room, content: 'new' })),
    isUndecided: true,
    isOwn: false,
    isTold: true,
  },
  'declines the partner': {
    ...call('POST', chatPath('decline')),
    isUndecided: true,
    isOwn: true,
    isTold: false,
  },
  'deletes it': {
    ...call('POST', chatPath('delete'), () => ({ seq: 1 })),
    isOwn: true,
    isTold: false,
  },
  'blocks the partner': {
    act: ({ user, room }) => changeConsent(user, room, 'block'),
    isOwn: true,
    isTold: false,
  },
  'pins it': {
    ...call('PATCH', chatPath('settings'), () => ({ isPinned: true })),
    isOwn: true,
    isTold: false,
  },
  'mutes it': {
    ...call('PATCH', chatPath('settings'), () => ({ mutedUntil: MUTED_ALWAYS })),
    isOwn: true,
    isTold: false,
  },
  'archives it': {
    ...call('PATCH', chatPath('settings'), () => ({ isArchived: true })),
    isOwn: true,
    isTold: false,
  },
  'marks it as unread': {
    ...call('PATCH', chatPath('settings'), () => ({ isMarkedUnread: true })),
    isOwn: true,
    isTold: false,
  },
};

import type {
  AccountSettings,
  DataExport,
  NotificationSettings,
  PublicConfig,
  SessionEndReason,
} from '@parley/contract';
import type { Language } from '@parley/texts';
import type { LiveEvent, LiveListener } from './memory-server.ts';

/** A registration whose email address is not verified yet. */
export interface Registration {
  id: string;
  username: string;
  /** As it is compared. */
  email: string;
  /** As it is shown: as it was sent, because browsers cannot turn a domain back into Unicode. */
  usermail: string;
  password: string;
  language: Language;
  key: string;
  /** Id of the user whose invitation was used. */
  inviterId: string | undefined;
}

/** An account. */
export interface Account extends AccountSettings {
  id: string;
  username: string;
  /** As it is compared. */
  email: string;
  /** As it is shown: as it was sent, because browsers cannot turn a domain back into Unicode. */
  usermail: string;
  password: string;
  createdAt: number;
  /** The key that was mailed to reset the password and not used yet. */
  resetKey?: string;
  /** The address that the user wants to change to. If another account holds it, its key was not mailed. */
  emailChange?: { usermail: string; key: string };
  /** The addresses that the account had, earliest first, with the keys that take it back. */
  formerEmails: { email: string; usermail: string; key: string }[];
  lastSeenAt: number | undefined;
  notifications: NotificationSettings;
}

/** A session of a browser. */
export interface Session {
  id: string;
  accountId: string;
  createdAt: number;
  lastSeenAt: number;
  endReason?: SessionEndReason;
}

/** The state of a chatroom for one of its members. */
export interface Member {
  accountId: string;
  consent: 'accepted' | 'requested' | 'declined';
  /** Whether messages arrive as a quiet request until the member accepts the partner. */
  isQuiet: boolean;
  blockedAt: number | undefined;
  readSeq: number;
  /** Messages of the partner up to this one are hidden, because the member declined a request or deleted the chat. */
  clearedSeq: number;
  /** Own messages up to this one are hidden, because the member deleted the chat. */
  ownClearedSeq: number;
  /** Whether the member deleted the chat. It is not listed without messages then. */
  isRemoved: boolean;
  /** The messages of the latest block: after the first position, up to the second. */
  blockStartSeq: number;
  blockEndSeq: number;
  /** What the partner is told. */
  deliveredSeq: number;
  seenSeq: number;
  /** Increases when something changes for the member without a new `lastRev`. */
  memberRev: number;
  isPinned: boolean;
  /** Place among the pinned chats, of which the highest is first. */
  pinRank: number;
  archivedSeq: number | undefined;
  mutedUntil: number | undefined;
  isMarkedUnread: boolean;
  /** When the partner used an invitation of the member. */
  invitationAcceptedAt: number | undefined;
  /** The partner's latest reaction. */
  lastReaction: { messageId: string; emoji: string; at: number; seq: number } | undefined;
}

/** A chatroom. */
export interface ServerChatroom {
  id: string;
  createdAt: number;
  lastSeq: number;
  lastRev: number;
  members: [Member, Member];
  messages: StoredMessage[];
}

/** A reaction to a message. */
export interface StoredReaction {
  accountId: string;
  emoji: string;
  /** Whether only its author sees it. */
  isWithheld: boolean;
}

/** A message. */
export interface StoredMessage {
  id: string;
  chatroomId: string;
  seq: number;
  rev: number;
  senderId: string;
  kind: string;
  content: string;
  clientId: string | undefined;
  albumId: string | undefined;
  isForwarded: boolean;
  replyToId: string | undefined;
  upload: Upload | undefined;
  createdAt: number;
  updatedAt: number;
  isDeleted: boolean;
  /** Whether only its sender sees it. */
  isWithheld: boolean;
  reactions: StoredReaction[];
}

/** An uploaded file. */
export interface Upload {
  id: string;
  file: string;
  ownerId: string;
  kind: 'image' | 'audio';
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  width: number | undefined;
  height: number | undefined;
  duration: number | undefined;
  peaks: number[] | undefined;
}

/** An invitation link. */
export interface StoredInvitation {
  id: string;
  code: string;
  inviterId: string;
  isSingleUse: boolean;
  note: string;
  createdAt: number;
  expiresAt: number;
  isUsed: boolean;
}

/** An archive with the data of a user. It is ready when it is asked for again. */
export interface StoredExport {
  readonly ownerId: string;
  readonly info: DataExport;
}

/** An open live connection. */
export interface Connection {
  sessionId: string;
  accountId: string;
  listener: LiveListener;
  /** Whether the device is in use. Undefined until it has said so. */
  isActive: boolean | undefined;
}

/** Everything that the server keeps. */
export interface State {
  config: PublicConfig;
  /** Newest first. */
  registrations: Registration[];
  accounts: Map<string, Account>;
  sessions: Map<string, Session>;
  rooms: Map<string, ServerChatroom>;
  /** By the names of their files. */
  uploads: Map<string, Upload>;
  invitations: Map<string, StoredInvitation>;
  /** Oldest first. */
  exports: StoredExport[];
  reports: unknown[];
  connections: Set<Connection>;
  /** The keys that were mailed last, by address. */
  mailedKeys: Map<string, string>;
  /** The kind of texts that are sent. */
  textKind: string;
}

/** Sends a live event to all devices of users. */
export function emit(state: State, accountIds: readonly string[], event: LiveEvent): void {
  for (const accountId of accountIds) {
    for (const connection of state.connections) {
      // Receivers never share objects with the server or with each other.
      if (connection.accountId === accountId) connection.listener.onEvent(structuredClone(event));
    }
  }
}

/** Closes live connections. */
export function closeConnections(state: State, shouldClose: (each: Connection) => boolean): void {
  for (const connection of Array.from(state.connections).filter(shouldClose)) {
    state.connections.delete(connection);
    connection.listener.onClose();
  }
}

/** Ends sessions, whose devices are told why. */
export function endSessions(
  state: State,
  reason: SessionEndReason,
  shouldEnd: (each: Session) => boolean,
): void {
  for (const session of state.sessions.values()) {
    if (session.endReason !== undefined || !shouldEnd(session)) continue;
    session.endReason = reason;
    for (const { sessionId, listener } of state.connections) {
      if (sessionId === session.id)
        listener.onEvent({ name: 'session-ended', payload: { reason } });
    }
    closeConnections(state, ({ sessionId }) => sessionId === session.id);
  }
}

/** Formats a time as on the wire. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}

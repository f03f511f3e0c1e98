import { Type, type Static } from 'typebox';
import { Id, Timestamp } from './common.ts';

/** One place where the person is signed in. */
export const SessionInfo = Type.Object({
  id: Id,
  /** The `User-Agent` of the login, cut to 256 characters; empty if there was none. */
  device: Type.String(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  isCurrent: Type.Boolean(),
});
export type SessionInfo = Static<typeof SessionInfo>;

/** Everywhere that the person is signed in. */
export const SessionList = Type.Object({ sessions: Type.Array(SessionInfo) });
export type SessionList = Static<typeof SessionList>;

/** Which session. */
export const SessionParams = Type.Object({ id: Id });
export type SessionParams = Static<typeof SessionParams>;

import { Type, type Static } from 'typebox';
import { Id, Timestamp } from './common.schemas.ts';

/** A session of the current user. */
export const SessionInfo = Type.Object({
  id: Id,
  /**
   * The `User-Agent` of the login, truncated to 256 characters, or an empty string if there was
   * none.
   */
  device: Type.String(),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  isCurrent: Type.Boolean(),
});
export type SessionInfo = Static<typeof SessionInfo>;

/** All sessions of the current user. */
export const SessionList = Type.Object({ sessions: Type.Array(SessionInfo) });
export type SessionList = Static<typeof SessionList>;

/** The id of a session. */
export const SessionParams = Type.Object({ id: Id });
export type SessionParams = Static<typeof SessionParams>;

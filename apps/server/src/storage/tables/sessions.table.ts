/** A session of a signed-in user. */
export interface SessionsTable {
  /** Public id for the user's list of sessions. */
  id: string;
  /** SHA-256 of the token in the cookie, so that a copy of the database grants no access. */
  token_hash: string;
  user_id: string;
  /** `User-Agent` of the login request. */
  device: string;
  created_at: number;
  last_seen_at: number;
  expires_at: number;
}

/** The reason why a session was ended before it expired. It does not reference the user. */
export interface EndedSessionsTable {
  /** As in `sessions`. */
  token_hash: string;
  reason: 'revoked' | 'password-changed' | 'account-deleted';
  ended_at: number;
}

import { sql, type Selectable } from 'kysely';
import type { Reader, Writer } from '../storage/storage.ts';
import { staticFind } from '../storage/static-query.ts';
import type { EndedSessionsTable, SessionsTable } from '../storage/tables/sessions.table.ts';

/** A row of the table `sessions`. */
export type SessionRow = Selectable<SessionsTable>;

export type DeletedSession = Pick<SessionRow, 'id' | 'token_hash'>;

/** The reason for ending a session before it expires. */
export type EndedReason = EndedSessionsTable['reason'];

export async function insertSession(trx: Writer, session: SessionRow): Promise<void> {
  await trx.insertInto('sessions').values(session).execute();
}

/** Finds an unexpired session by the hash of its token, for every request with a cookie that is not cached. */
export const findSessionByToken = staticFind<{ tokenHash: string; now: number }, SessionRow>(
  (db, param) =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('token_hash', '=', param('tokenHash'))
      .where('expires_at', '>', param('now')),
);

/**
 * Records the use of a session, which extends its lifetime. A clock that is behind, as on a machine that has just
 * started, does not shorten it.
 */
export async function touchSession(
  trx: Writer,
  id: string,
  lastSeenAt: number,
  expiresAt: number,
): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({
      last_seen_at: lastSeenAt,
      expires_at: sql<number>`case when expires_at < ${expiresAt} then ${expiresAt} else expires_at end`,
    })
    .where('id', '=', id)
    .execute();
}

/** Finds the unexpired sessions of an account, most recently used first. */
export async function findSessionsOfUser(
  db: Reader,
  userId: string,
  now: number,
): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes the session with a token. Returns its public id, or undefined if no session has it. */
export async function deleteSessionByToken(
  trx: Writer,
  tokenHash: string,
): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Deletes a session by its public id. Returns undefined if the account has no such session. */
export async function deleteSessionOfUser(
  trx: Writer,
  userId: string,
  id: string,
): Promise<DeletedSession | undefined> {
  return trx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['id', 'token_hash'])
    .executeTakeFirst();
}

/** Deletes all sessions of an account except `keepId`. */
export async function deleteSessionsOfUser(
  trx: Writer,
  userId: string,
  keepId?: string,
): Promise<DeletedSession[]> {
  return trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keepId !== undefined, (query) => query.where('id', '<>', keepId ?? ''))
    .returning(['id', 'token_hash'])
    .execute();
}

/** Deletes the sessions of an account except a new one and the `keep` most recently used of the others. */
export async function deleteOldestSessions(
  trx: Writer,
  userId: string,
  newId: string,
  keep: number,
): Promise<DeletedSession[]> {
  return trx
    .deleteFrom('sessions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('id', '<>', newId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .limit(Number.MAX_SAFE_INTEGER)
        .offset(keep),
    )
    .returning(['id', 'token_hash'])
    .execute();
}

/** Records why sessions were ended. */
export async function insertEndedSessions(
  trx: Writer,
  sessions: readonly DeletedSession[],
  reason: EndedReason,
  endedAt: number,
): Promise<void> {
  await trx
    .insertInto('ended_sessions')
    .values(sessions.map(({ token_hash }) => ({ token_hash, reason, ended_at: endedAt })))
    .execute();
}

/**
 * Returns why a session was ended; undefined if it expired, was ended by a logout, or never existed.
 */
export async function findEndedReason(
  db: Reader,
  tokenHash: string,
): Promise<EndedReason | undefined> {
  const row = await db
    .selectFrom('ended_sessions')
    .select('reason')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.reason;
}

/** Deletes the records of sessions that were ended before `endedBefore`. */
export async function deleteEndedSessions(trx: Writer, endedBefore: number): Promise<void> {
  await trx.deleteFrom('ended_sessions').where('ended_at', '<', endedBefore).execute();
}

/** Deletes all expired sessions. Returns their public ids. */
export async function deleteExpiredSessions(trx: Writer, now: number): Promise<string[]> {
  const rows = await trx
    .deleteFrom('sessions')
    .where('expires_at', '<=', now)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Returns whether the session with a public id exists and has not expired. */
export async function hasUnexpiredSession(db: Reader, id: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

import { createHmac } from 'node:crypto';
import { findSecret, loadSecret } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';

/** The secret that the id is derived from, so that the id reveals nothing else. */
const SECRET = 'instance';

/**
 * Returns the public id of the database with an internal id, which differs from those of its restored copies. It is
 * created at first use and never changes.
 */
export async function loadInstanceId(
  storage: Pick<Storage, 'write'>,
  database: string,
): Promise<string> {
  return toInstanceId(await loadSecret(storage, SECRET), database);
}

/** Like {@link loadInstanceId}, but returns undefined if no server has created the id yet. */
export async function findInstanceId(
  storage: Pick<Storage, 'read'>,
  database: string | undefined,
): Promise<string | undefined> {
  const secret = await storage.read((db) => findSecret(db, SECRET));
  if (secret === undefined || database === undefined) return undefined;
  return toInstanceId(secret, database);
}

function toInstanceId(secret: string, database: string): string {
  return createHmac('sha256', secret).update(database).digest('base64url').slice(0, 22);
}

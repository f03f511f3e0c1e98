import { createHmac } from 'node:crypto';
import { findSecret, loadSecret } from '../storage/secret.ts';
import type { Inspection, Storage } from '../storage/storage.ts';

/** The secret that the id is derived from, so that the id reveals nothing else. */
const SECRET = 'instance';

/**
 * Returns the public id of a database, which differs from those of its restored copies. It is created at first use and
 * never changes.
 */
export async function loadInstanceId(storage: Pick<Storage, 'write' | 'id'>): Promise<string> {
  return toInstanceId(await loadSecret(storage, SECRET), await storage.id());
}

/** Returns the public id of a database, or undefined if no server has created it yet. */
export async function findInstanceId(
  storage: Pick<Inspection, 'read' | 'id'>,
): Promise<string | undefined> {
  const secret = await storage.read((db) => findSecret(db, SECRET));
  const database = await storage.id();
  if (secret === undefined || database === undefined) return undefined;
  return toInstanceId(secret, database);
}

function toInstanceId(secret: string, database: string): string {
  return createHmac('sha256', secret).update(database).digest('base64url').slice(0, 22);
}

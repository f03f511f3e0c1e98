import { createHash } from 'node:crypto';
import { findSecret, loadSecret } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';
import type { StoreOwner } from './media-store.ts';

const SECRET = 'media-store';

/** Returns as what the database with an id claims its media store. */
export async function loadOwner(
  storage: Pick<Storage, 'write'>,
  database: string,
): Promise<StoreOwner> {
  return { installation: hash(await loadSecret(storage, SECRET)), database };
}

/** Like {@link loadOwner}, but returns undefined if the database has never claimed a store. */
export async function findDatabaseOwner(
  storage: Pick<Storage, 'read'>,
  database: string | undefined,
): Promise<StoreOwner | undefined> {
  const secret = await storage.read((db) => findSecret(db, SECRET));
  if (secret === undefined || database === undefined) return undefined;
  return { installation: hash(secret), database };
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

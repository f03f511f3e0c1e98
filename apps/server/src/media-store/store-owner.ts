import { createHash } from 'node:crypto';
import { findSecret, loadSecret } from '../storage/secret.ts';
import type { Inspection, Storage } from '../storage/storage.ts';
import type { StoreOwner } from './media-store.ts';

const SECRET = 'media-store';

/** Returns as what a database claims its media store. */
export async function loadOwner(storage: Pick<Storage, 'write' | 'id'>): Promise<StoreOwner> {
  const secret = await loadSecret(storage, SECRET);
  return { installation: hash(secret), database: await storage.id() };
}

/** Like {@link loadOwner}, but returns undefined if the database has never claimed a store. */
export async function findDatabaseOwner(
  storage: Pick<Inspection, 'read' | 'id'>,
): Promise<StoreOwner | undefined> {
  const secret = await storage.read((db) => findSecret(db, SECRET));
  const database = await storage.id();
  if (secret === undefined || database === undefined) return undefined;
  return { installation: hash(secret), database };
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

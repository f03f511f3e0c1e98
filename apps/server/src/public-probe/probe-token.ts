import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { findSecret, loadSecret } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';

const SECRET = 'public-probe';
/** Milliseconds for which a token is valid: longer than all checks of the doctor. */
const LIFETIME = 5 * 60_000;

/** Creates a token that makes every server on the database describe requests with it, for five minutes. */
export async function createProbeToken(storage: Pick<Storage, 'write'>): Promise<string> {
  const content = `${Date.now() + LIFETIME}.${randomBytes(16).toString('hex')}`;
  return `${content}.${sign(await loadSecret(storage, SECRET), content)}`;
}

/** Returns whether a token was created by a server on the database and is still valid. */
export async function isProbeToken(
  storage: Pick<Storage, 'read'>,
  token: string,
): Promise<boolean> {
  const [, content = '', expiresAt, signature = ''] =
    /^((\d{1,15})\.[0-9a-f]{32})\.([0-9a-f]{64})$/.exec(token) ?? [];
  if (expiresAt === undefined || Number(expiresAt) < Date.now()) return false;
  const secret = await storage.read((db) => findSecret(db, SECRET));
  if (secret === undefined) return false;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, content)));
}

function sign(secret: string, content: string): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { loadSecret } from '../storage/secret.ts';
import type { Storage } from '../storage/storage.ts';

const SECRET = 'public-probe';
/** Milliseconds for which a token is valid: longer than all checks of the doctor. */
const LIFETIME = 5 * 60_000;
/** Milliseconds by which the clocks of servers on one database may differ. */
const CLOCK_DIFFERENCE_MAX = 60_000;

/** Returns whether a token was created by a server on the database and is still valid. */
export type ProbeTokenCheck = (token: string) => boolean;

/**
 * Creates a token that makes every server on the database describe requests with it. It can be used any number of
 * times within five minutes.
 */
export async function createProbeToken(storage: Pick<Storage, 'write'>): Promise<string> {
  const content = `${Date.now() + LIFETIME}.${randomBytes(16).toString('hex')}`;
  return `${content}.${sign(await loadSecret(storage, SECRET), content)}`;
}

/** Creates the check of tokens. Anyone can send one, so that it does not read the database. */
export async function createProbeTokenCheck(
  storage: Pick<Storage, 'write'>,
): Promise<ProbeTokenCheck> {
  const secret = await loadSecret(storage, SECRET);
  return (token) => {
    const [, content = '', expiresAt, signature = ''] =
      /^((\d{1,15})\.[0-9a-f]{32})\.([0-9a-f]{64})$/.exec(token) ?? [];
    const remaining = Number(expiresAt) - Date.now();
    // Without a match, it is not a number.
    if (!(remaining >= 0 && remaining <= LIFETIME + CLOCK_DIFFERENCE_MAX)) return false;
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, content)));
  };
}

function sign(secret: string, content: string): string {
  return createHmac('sha256', secret).update(content).digest('hex');
}

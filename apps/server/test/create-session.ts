import { randomBytes } from 'node:crypto';
import { Signer } from '@fastify/cookie';
import type { Context } from '../src/context.ts';
import { SESSION_COOKIE } from '../src/plugins/current-session.ts';
import { SESSION_IDLE_TIMEOUT, tokenHash } from '../src/sessions/session.store.ts';
import { newId } from '../src/storage/ids.ts';
import { loadSecret } from '../src/storage/secret.ts';

/** A session of a user, with the value of the header `Cookie` of its requests. */
export interface CreatedSession {
  readonly id: string;
  readonly cookie: string;
}

/** Creates a session, as a login does, directly in the database. */
export async function createSession(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
): Promise<CreatedSession> {
  const id = newId();
  const token = randomBytes(24).toString('base64url');
  const now = Date.now();
  await storage.write(({ trx }) =>
    trx
      .insertInto('sessions')
      .values({
        id,
        token_hash: tokenHash(token),
        user_id: userId,
        device: 'test',
        created_at: now,
        last_seen_at: now,
        expires_at: now + SESSION_IDLE_TIMEOUT,
      })
      .execute(),
  );
  const signed = new Signer(await loadSecret(storage, 'session')).sign(token);
  return { id, cookie: `${SESSION_COOKIE}=${encodeURIComponent(signed)}` };
}

import type { RegisterResponse, RegisterBody, VerifyBody } from '@parley/contract';
import { DEFAULT_LANGUAGE } from '@parley/texts';
import { newId } from '../storage/ids.ts';
import { AppError } from '../errors/app-error.ts';
import { isUniqueViolation } from '../storage/errors.ts';
import { assertInvitation, redeemInvitation } from '../invitations/invitation.service.ts';
import type { AccountContext } from './account-context.ts';
import { endAccount } from './account-deletion.service.ts';
import { hashKey, isSameKey } from './account-keys.ts';
import { deleteKey, consumeAttempt } from './account-key.repository.ts';
import { mailKey } from './account-mails.ts';
import { findHolders, findUserByEmail, insertUser, setVerified } from './account.repository.ts';
import { cleanEmail, cleanPassword, cleanUsername } from './credentials.ts';
import { assertAllowedDomain } from './allowed-domains.ts';

/** An account that was not verified holds its name and address for so long: 48 hours, in milliseconds. */
const UNVERIFIED_HOLD = 48 * 60 * 60 * 1000;

/**
 * Registers an account and mails its verification key. `queue` is where it waits for its password
 * to be hashed.
 * @throws {AppError} `registration_closed`, `invalid_request`, `username_not_allowed`, `domain_not_allowed`,
 * `invitation_invalid`, or `account_taken`
 */
export async function register(
  ctx: AccountContext,
  body: RegisterBody,
  queue: string,
): Promise<RegisterResponse> {
  if (ctx.config.registration === 'closed') throw new AppError('registration_closed');
  const email = cleanEmail(body.email);
  assertAllowedDomain(ctx.config, email);
  const username = cleanUsername(body.username);
  const password = cleanPassword(body.password);

  // Asked first, so that a name that is taken costs no hash; the write decides.
  const isByInvitation = ctx.config.registration === 'invite';
  const holders = await ctx.storage.read(async (db) => {
    if (isByInvitation) await assertInvitation(db, body.invitation);
    return findHolders(db, username, email);
  });
  if (holders.some((holder) => !hasLapsed(holder))) throw new AppError('account_taken');
  const passwordHash = await ctx.passwords.hash(password, queue);

  await ctx.storage
    .write(async (write) => {
      for (const holder of await findHolders(write.trx, username, email)) {
        // Between the check above and this write, another registration may have taken it.
        if (!hasLapsed(holder)) throw new AppError('account_taken');
        await endAccount(write, holder.id);
      }
      if (isByInvitation) await redeemInvitation(write, body.invitation);
      const id = newId();
      const language = body.language ?? DEFAULT_LANGUAGE;
      const now = Date.now();
      await insertUser(write.trx, { id, username, email, passwordHash, language, now });
      await mailKey(write, id, 'verify');
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('account_taken', { cause: error }) : error;
    });
  return { username, isVerified: false };
}

function hasLapsed(account: { verified_at: number | null; created_at: number }): boolean {
  return account.verified_at === null && account.created_at <= Date.now() - UNVERIFIED_HOLD;
}

/**
 * Verifies an account by the key that was mailed.
 * @throws {AppError} `already_verified`, or `key_mismatch` for an unknown address too
 */
export async function verify(ctx: AccountContext, body: VerifyBody): Promise<void> {
  const email = cleanEmail(body.email);
  // Throwing would undo the consumed attempt, so the outcome is returned.
  const outcome = await ctx.storage.write(async ({ trx }) => {
    const user = await findUserByEmail(trx, email);
    if (user === undefined) return 'key_mismatch';
    if (user.verified_at !== null) return 'already_verified';
    const now = Date.now();
    const stored = await consumeAttempt(trx, user.id, 'verify', now);
    const given = hashKey('verify', user.id, body.key);
    if (stored === undefined || !isSameKey(stored, given)) return 'key_mismatch';
    await deleteKey(trx, user.id, 'verify');
    await setVerified(trx, user.id, now);
    return undefined;
  });
  if (outcome !== undefined) throw new AppError(outcome);
}

/**
 * Mails a new verification key, if the address is one that waits for it. The caller need not wait:
 * the answer, and the time it takes, must be the same for every address.
 * @throws {AppError} `invalid_request` if it cannot be an address.
 */
export function resendKey(ctx: AccountContext, rawEmail: string): void {
  const email = cleanEmail(rawEmail);
  ctx.storage
    .write(async (write) => {
      const user = await findUserByEmail(write.trx, email);
      if (user?.verified_at === null) await mailKey(write, user.id, 'verify');
    })
    .catch((error: unknown) => ctx.log.warn({ err: error }, 'a key could not be made anew'));
}

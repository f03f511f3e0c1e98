import type { RegisterResponse, RegisterBody, VerifyBody } from '@parley/contract';
import { DEFAULT_LANGUAGE } from '@parley/texts';
import { newId } from '../storage/ids.ts';
import { AppError } from '../errors/app-error.ts';
import { isUniqueViolation } from '../storage/storage-errors.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import { completeIntroduction, planIntroduction } from '../invitations/introduction.service.ts';
import { assertInvitation, consumeAtRegistration } from '../invitations/invitation.service.ts';
import type { AccountContext } from './account-context.ts';
import { endAccount } from './account-deletion.service.ts';
import { hashKey, isSameHash } from './account-keys.ts';
import { deleteKey, consumeAttempt } from './account-key.repository.ts';
import { mailKey } from './account-mails.ts';
import { findHolders, findUserByEmail, insertUser, setVerified } from './account.repository.ts';
import { cleanEmail, cleanPassword, cleanUsername } from './credentials.ts';
import { assertAllowedDomain } from './allowed-domains.ts';

/**
 * Milliseconds for which an unverified account reserves its username and email address: 48 hours.
 */
const UNVERIFIED_HOLD = 48 * 60 * 60 * 1000;

/**
 * Registers an account and queues the mail with its verification key.
 * @param hashingOwner the owner of the job in the password hasher's queue.
 * @throws {AppError} `registration_closed`, `invalid_request`, `username_not_allowed`, `domain_not_allowed`,
 * `invitation_invalid`, or `account_taken`
 */
export async function register(
  ctx: AccountContext,
  body: RegisterBody,
  hashingOwner: JobOwner,
): Promise<RegisterResponse> {
  if (ctx.config.registration === 'closed') throw new AppError('registration_closed');
  const email = cleanEmail(body.email);
  assertAllowedDomain(ctx.config, email);
  const username = cleanUsername(body.username);
  const password = cleanPassword(body.password);

  // Checked before the expensive hashing; the write below checks it again.
  const holders = await ctx.storage.read(async (db) => {
    await assertInvitation(db, ctx.config, body.invitation);
    return findHolders(db, username, email);
  });
  if (holders.some((holder) => !hasLapsed(holder))) throw new AppError('account_taken');
  const passwordHash = await ctx.passwords.hash(password, hashingOwner);

  await ctx.storage
    .write(async (write) => {
      for (const holder of await findHolders(write.trx, username, email)) {
        // Another registration may have taken the name since the check above.
        if (!hasLapsed(holder)) throw new AppError('account_taken');
        await endAccount(write, holder.id);
      }
      const inviterId = await consumeAtRegistration(write, ctx.config, body.invitation);
      const id = newId();
      const language = body.language ?? DEFAULT_LANGUAGE;
      const now = Date.now();
      await insertUser(write.trx, { id, username, email, passwordHash, language, now });
      if (inviterId !== undefined) await planIntroduction(write, id, inviterId);
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
 * Verifies an account by the emailed key and starts its chat with the user who invited it, if any.
 * @throws {AppError} `already_verified`, or `key_mismatch` (also for an unknown email address)
 */
export async function verify(ctx: AccountContext, body: VerifyBody): Promise<void> {
  const email = cleanEmail(body.email);
  // Throwing here would roll back the consumed attempt.
  const outcome = await ctx.storage.write(async (write) => {
    const { trx } = write;
    const user = await findUserByEmail(trx, email);
    if (user === undefined) return 'key_mismatch';
    if (user.verified_at !== null) return 'already_verified';
    const now = Date.now();
    const stored = await consumeAttempt(trx, user.id, 'verify', now);
    const given = hashKey('verify', user.id, body.key);
    if (stored === undefined || !isSameHash(stored, given)) return 'key_mismatch';
    await deleteKey(trx, user.id, 'verify');
    await setVerified(trx, user.id, now);
    await completeIntroduction(write, user.id);
    return undefined;
  });
  if (outcome !== undefined) throw new AppError(outcome);
}

/**
 * Queues a mail with a new verification key if the email address belongs to an unverified account.
 * It returns immediately, so that the response and its timing do not reveal whether the account
 * exists.
 * @throws {AppError} `invalid_request` if it is not a valid email address.
 */
export function resendKey(ctx: AccountContext, rawEmail: string): void {
  const email = cleanEmail(rawEmail);
  ctx.storage
    .write(async (write) => {
      const user = await findUserByEmail(write.trx, email);
      if (user?.verified_at === null) await mailKey(write, user.id, 'verify');
    })
    .catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a new verification key could not be created'),
    );
}

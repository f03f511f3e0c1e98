import type { EmailChangeBody, VerifyBody } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { discardMails, pinMails } from '../mail/mail.service.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import { endSessionsOf } from '../sessions/session.service.ts';
import type { Reader, WriteContext } from '../storage/storage.ts';
import type { AccountContext, NewEmailContext } from './account-context.ts';
import { deleteKey } from './account-key.repository.ts';
import { hashKey, isSameHash } from './account-keys.ts';
import {
  mailEmailChangeKey,
  mailEmailNotice,
  mailResetKey,
  mailRestoreKey,
} from './account-mails.ts';
import { findUserById, setPasswordHash, type UserRow } from './account.repository.ts';
import { readEmails } from './account.service.ts';
import { cleanEmail, cleanPassword } from './credentials.ts';
import { assertUnchangedPassword, verifyCurrentPassword } from './current-password.ts';
import {
  consumeChangeAttempt,
  deleteEmailChange,
  deleteExpiredEmails,
  deleteFormerEmails,
  findFormerEmail,
  findFormerEmailByKey,
  findOtherHolder,
  hasEmail,
  isStoredByOther,
  listFormerEmails,
  setEmail,
} from './email-change.repository.ts';
import { assertAllowedDomain, assertDeliverable } from './new-email.ts';
import { createUnusableHash } from './password-hasher.ts';
import { toReadableEmail } from './readable-email.ts';
import { deleteRegistrations, findRegistrations } from './registration.repository.ts';

/**
 * Queues a mail with a key to the address that the current user wants to change to. If another account has it,
 * its owner is told instead, and the caller cannot tell the difference.
 * @param hashingOwner the owner of the job in the password hasher's queue.
 * @throws {AppError} `invalid_request`, `domain_not_allowed`, `email_not_supported`, `wrong_password`, or
 * `already_verified` if the account has the address.
 */
export async function requestEmailChange(
  ctx: NewEmailContext,
  userId: string,
  body: EmailChangeBody,
  hashingOwner: JobOwner,
): Promise<void> {
  const email = cleanEmail(body.email);
  const password = cleanPassword(body.password);
  assertAllowedDomain(ctx.config, email);
  const user = await verifyCurrentPassword(ctx, userId, password, hashingOwner);
  await assertDeliverable(ctx, email);

  await ctx.storage.write(async (write) => {
    await assertUnchangedPassword(write.trx, user);
    if (await hasEmail(write.trx, userId, email)) throw new AppError('already_verified');
    // A key that was mailed for another address must not stay in the queue.
    await discardMails(write, userId, ['change-email']);
    const holder = await findOtherHolder(write.trx, userId, email);
    await mailEmailChangeKey(write, userId, email, holder);
    await tellEmails(write, user);
  });
}

/** Tells the devices of a user which addresses there are now. */
async function tellEmails(
  { trx, emit }: WriteContext,
  user: Pick<UserRow, 'id' | 'email'>,
): Promise<void> {
  emit({ type: 'email-changed', userId: user.id, emails: await readEmails(trx, user) });
}

/**
 * Changes the address of the current user to the one to which a key was mailed. The mail to the former address
 * contains a key that takes the account back to it. Returns the new address, readable.
 * @throws {AppError} `key_mismatch`, or `account_taken` if another account got the address in the meantime.
 */
export async function confirmEmailChange(
  ctx: Pick<Context, 'storage'>,
  userId: string,
  body: VerifyBody,
): Promise<string> {
  const email = cleanEmail(body.email);
  // Throwing here would roll back the consumed attempt.
  const outcome = await ctx.storage.write(async (write) => {
    const { trx } = write;
    const expected = await consumeChangeAttempt(trx, userId, email);
    const user = await findUserById(trx, userId);
    if (user === undefined || expected === undefined) return 'key_mismatch';
    if (!isSameHash(expected, hashKey('change', userId, body.key))) return 'key_mismatch';
    if ((await findOtherHolder(trx, userId, email)) !== undefined) return 'account_taken';
    await changeEmail(write, user, email);
    return undefined;
  });
  if (outcome !== undefined) throw new AppError(outcome);
  return toReadableEmail(email);
}

async function changeEmail(write: WriteContext, user: UserRow, email: string): Promise<void> {
  const { trx } = write;
  const earlier = await findFormerEmail(trx, user.id, email);
  await replaceEmail(write, user, email);
  if (earlier === undefined) {
    await mailRestoreKey(write, user);
    return;
  }
  // The user returns to an address, so that those since then must not take the account back.
  await deleteFormerEmails(trx, user.id, earlier.position);
  await mailEmailNotice(write, user, 'email-restored');
}

/** Discards the address that a user wants to change to. */
export async function cancelEmailChange(write: WriteContext, userId: string): Promise<void> {
  const wasWanted = await deleteEmailChange(write.trx, userId);
  await discardMails(write, userId, ['change-email']);
  const user = wasWanted ? await findUserById(write.trx, userId) : undefined;
  if (user !== undefined) await tellEmails(write, user);
}

/** Discards the address that the current user wants to change to. */
export async function cancelOwnEmailChange(
  { storage }: Pick<Context, 'storage'>,
  userId: string,
): Promise<void> {
  await storage.write((write) => cancelEmailChange(write, userId));
}

/**
 * Takes an account back to the former address to which a key was mailed. Changing the address needed the
 * password, so it becomes invalid, all sessions end, and the address gets a key to set another one. Addresses
 * that the account had later cannot take it back any more. Returns the address, readable.
 * @throws {AppError} `link_invalid`
 */
export async function restoreEmail(
  { storage }: Pick<AccountContext, 'storage'>,
  key: string,
): Promise<string> {
  return storage.write(async (write) => {
    const { trx } = write;
    const former = await findFormerEmailByKey(trx, hashKey('restore', '', key));
    if (former === undefined) throw new AppError('link_invalid');
    const user = await findUserById(trx, former.user_id);
    const storedEmail = await findFreeForm(trx, former);
    if (user === undefined || storedEmail === undefined) throw new AppError('link_invalid');
    await deleteFormerEmails(trx, user.id, former.position);
    await replaceEmail(write, user, former.email, storedEmail);
    await mailEmailNotice(write, user, 'email-restored');
    await setPasswordHash(trx, user.id, createUnusableHash());
    await endSessionsOf(write, user.id, 'password-changed');
    await mailResetKey(write, user.id);
    return toReadableEmail(former.email);
  });
}

/** Returns the form of a former address that no other account is stored with. */
async function findFreeForm(
  db: Reader,
  former: { user_id: string; email: string; stored_email: string },
): Promise<string | undefined> {
  for (const form of [former.email, former.stored_email]) {
    if (!(await isStoredByOther(db, former.user_id, form))) return form;
  }
  return undefined;
}

/**
 * Gives an account another address on behalf of the operator, because the user has lost the mailbox. Ends all
 * sessions. The former address cannot take the account back, because others may read its mails by now.
 * @throws {AppError} `already_verified` if the account has the address, `account_taken` if another one has it.
 */
export async function assignEmail(
  write: WriteContext,
  userId: string,
  email: string,
): Promise<void> {
  const { trx } = write;
  const user = await findUserById(trx, userId);
  if (user === undefined || (await hasEmail(trx, userId, email))) {
    throw new AppError('already_verified');
  }
  if ((await findOtherHolder(trx, userId, email)) !== undefined) {
    throw new AppError('account_taken');
  }
  await deleteFormerEmails(trx, userId);
  await replaceEmail(write, user, email);
  await mailEmailNotice(write, user, 'email-set');
  await endSessionsOf(write, userId, 'revoked');
}

/**
 * Gives an account another address. Keys that were mailed to the former one become invalid, and other mails
 * that are still queued go there.
 */
async function replaceEmail(
  write: WriteContext,
  user: UserRow,
  email: string,
  storedEmail?: string,
): Promise<void> {
  const { trx } = write;
  await deleteEmailChange(trx, user.id);
  await deleteKey(trx, user.id, 'reset');
  await discardMails(write, user.id, ['change-email', 'reset']);
  await pinMails(write, user.id, user.email);
  await setEmail(trx, user.id, email, storedEmail);
  const registrations = await findRegistrations(trx, email);
  await deleteRegistrations(
    trx,
    registrations.map(({ id }) => id),
  );
  await tellEmails(write, { id: user.id, email });
}

/** Returns the addresses to which an account can be taken back, the latest first. */
export async function getFormerEmails({ storage }: Pick<Context, 'storage'>, userId: string) {
  return storage.read((db) => listFormerEmails(db, userId));
}

/** Deletes the former and wanted addresses whose keys have expired. */
export async function forgetExpiredEmails({ storage }: Pick<Context, 'storage'>): Promise<void> {
  await storage.write(({ trx }) => deleteExpiredEmails(trx));
}

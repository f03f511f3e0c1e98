import {
  RESERVED_USERNAMES,
  type RegisterResponse,
  type RegisterBody,
  type VerifyBody,
  type VerifyResponse,
} from '@parley/contract';
import { DEFAULT_LANGUAGE } from '@parley/texts';
import { newId } from '../storage/ids.ts';
import type { Reader, WriteContext } from '../storage/storage.ts';
import { AppError } from '../errors/app-error.ts';
import type { JobOwner } from '../scheduling/fair-queue.ts';
import { introduceToInviter } from '../invitations/introduction.service.ts';
import { assertInvitation, consumeAtRegistration } from '../invitations/invitation.service.ts';
import { readdressMails } from '../mail/mail.service.ts';
import type { AccountContext, NewEmailContext } from './account-context.ts';
import { hashKey, isSameHash } from './account-keys.ts';
import { mailVerificationKey } from './account-mails.ts';
import { findUsersByEmail, insertUser, isTakenByAccount } from './account.repository.ts';
import { cleanEmail, cleanPassword, cleanUsername } from './credentials.ts';
import { usernameSkeletons } from './look-alikes.ts';
import { assertAllowedDomain, assertDeliverable } from './new-email.ts';
import {
  consumeAttempts,
  deleteRegistrations,
  deleteRegistrationsBefore,
  findLookAlikes,
  findRegistrations,
  insertRegistration,
  type RegistrationRow,
} from './registration.repository.ts';

const HOUR = 60 * 60 * 1000;

/** Milliseconds for which a registration reserves its username against other email addresses. */
const NAME_HOLD = 48 * HOUR;

/** Milliseconds after which a registration is deleted. Until then, a new key can be requested. */
const LIFETIME = 30 * 24 * HOUR;

/** Maximum number of registrations of an email address. A further one replaces the oldest. */
const PENDING_MAX = 3;

/** A registration as the client learns it, and its id. */
interface Registered {
  readonly id: string;
  readonly response: RegisterResponse;
}

/**
 * Registers an account and queues the mail with its verification key. An email address is not reserved, so
 * its owner can always register it.
 * @param hashingOwner the owner of the job in the password hasher's queue.
 * @throws {AppError} `registration_closed`, `invalid_request`, `username_not_allowed`, `domain_not_allowed`,
 * `email_not_supported`, `invitation_invalid`, or `account_taken`
 */
export async function register(
  ctx: NewEmailContext,
  body: RegisterBody,
  hashingOwner: JobOwner,
): Promise<Registered> {
  if (ctx.config.registration === 'closed') throw new AppError('registration_closed');
  const email = cleanEmail(body.email);
  assertAllowedDomain(ctx.config, email);
  const username = cleanUsername(body.username);
  const password = cleanPassword(body.password);
  if (looksReserved(username, ctx.config.operator.name)) throw new AppError('account_taken');

  // Checked before the expensive hashing; the write below checks it again.
  const [pending] = await ctx.storage.read(async (db) => {
    await assertInvitation(db, ctx.config, body.invitation);
    await assertAvailable(db, username, email);
    return findRegistrations(db, email);
  });
  await assertDeliverable(ctx, email);
  // With the same salt, a login hashes the password only once for all of them.
  const passwordHash = await ctx.passwords.hash(password, hashingOwner, pending?.password_hash);

  const id = newId();
  await ctx.storage.write(async (write) => {
    await assertAvailable(write.trx, username, email);
    await deleteReplaced(write, username, email);
    const inviterId = await consumeAtRegistration(write, ctx.config, body.invitation);
    await insertRegistration(write.trx, {
      id,
      email,
      username,
      password_hash: passwordHash,
      language: body.language ?? DEFAULT_LANGUAGE,
      inviter_id: inviterId ?? null,
      created_at: Date.now(),
    });
    await mailVerificationKey(write, id);
  });
  return { id, response: { username, isVerified: false } };
}

/** @throws {AppError} `account_taken` */
async function assertAvailable(db: Reader, username: string, email: string): Promise<void> {
  if (await isTakenByAccount(db, username, email)) throw new AppError('account_taken');
  const lookAlikes = await findLookAlikes(db, username);
  // The owner of the address can register the same name again.
  if (lookAlikes.some((each) => each.email !== email && !hasLapsed(each))) {
    throw new AppError('account_taken');
  }
}

/** Deletes the registrations that a new one replaces, and old ones. */
async function deleteReplaced(
  { trx }: WriteContext,
  username: string,
  email: string,
): Promise<void> {
  await deleteRegistrationsBefore(trx, Date.now() - LIFETIME);
  const lapsed = (await findLookAlikes(trx, username)).filter(hasLapsed);
  await deleteRegistrations(trx, lapsed.map(idOf));
  const replaced = (await findRegistrations(trx, email)).slice(PENDING_MAX - 1);
  await deleteRegistrations(trx, replaced.map(idOf));
}

function hasLapsed({ created_at: createdAt }: RegistrationRow): boolean {
  return createdAt <= Date.now() - NAME_HOLD;
}

function idOf({ id }: RegistrationRow): string {
  return id;
}

/**
 * Verifies the registration to which a key was emailed, so that it becomes an account. Returns the chat with the
 * user who invited it, if there is one.
 * @param ownId the id of the last registration in this browser. If the address has it, only its key is valid:
 * the user may have received the keys of others' registrations, too.
 * @throws {AppError} `already_verified`, or `key_mismatch` (also for an unknown email address)
 */
export async function verify(
  ctx: AccountContext,
  body: VerifyBody,
  ownId: string | undefined,
): Promise<VerifyResponse> {
  const email = cleanEmail(body.email);
  // Throwing here would roll back the consumed attempts.
  const outcome = await ctx.storage.write(async (write): Promise<Verification> => {
    const { trx } = write;
    if ((await findUsersByEmail(trx, email)).length > 0) return { refusal: 'already_verified' };
    const addressed = selectOwn(await findRegistrations(trx, email), ownId);
    const tried = await consumeAttempts(trx, addressed.map(idOf), Date.now());
    const verified = tried.find((each) =>
      isSameHash(each.key_hash, hashKey('verify', each.id, body.key)),
    );
    if (verified === undefined) return { refusal: 'key_mismatch' };
    return { chatroomId: await completeRegistration(write, verified) };
  });
  if ('refusal' in outcome) throw new AppError(outcome.refusal);
  const { chatroomId } = outcome;
  return { isVerified: true, ...(chatroomId !== undefined && { chatroomId }) };
}

/** What has come of a key. */
type Verification =
  | { readonly refusal: 'already_verified' | 'key_mismatch' }
  | { readonly chatroomId: string | undefined };

/** Returns the registration of this browser if the address has it, otherwise all. */
function selectOwn(
  registrations: readonly RegistrationRow[],
  ownId: string | undefined,
): readonly RegistrationRow[] {
  const own = registrations.filter(({ id }) => id === ownId);
  return own.length > 0 ? own : registrations;
}

/**
 * Turns a registration into an account and deletes the other registrations of its email address. Starts
 * the chat with the user who invited it, if any, and returns its id.
 */
export async function completeRegistration(
  write: WriteContext,
  registration: RegistrationRow,
): Promise<string | undefined> {
  const { id, email, inviter_id: inviterId } = registration;
  await insertUser(write.trx, registration);
  await readdressMails(write.trx, id);
  await deleteRegistrations(write.trx, (await findRegistrations(write.trx, email)).map(idOf));
  return inviterId === null ? undefined : introduceToInviter(write, id, inviterId);
}

/**
 * Queues mails with new verification keys for the registration of this browser if the address has it,
 * otherwise for all registrations of the address. It returns immediately, so that the response and its
 * timing do not reveal whether there is one.
 * @throws {AppError} `invalid_request` if it is not a valid email address.
 */
export function resendKey(ctx: AccountContext, rawEmail: string, ownId: string | undefined): void {
  const email = cleanEmail(rawEmail);
  ctx.storage
    .write(async (write) => {
      const registrations = await findRegistrations(write.trx, email);
      for (const { id } of selectOwn(registrations, ownId)) await mailVerificationKey(write, id);
    })
    .catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'a new verification key could not be created'),
    );
}

/** Returns whether a username looks like a reserved one or the operator's name, whatever its punctuation. */
function looksReserved(username: string, operatorName = ''): boolean {
  const reserved = new Set([...RESERVED_USERNAMES, operatorName].flatMap(skeletonsOf));
  return skeletonsOf(username).some((skeleton) => reserved.has(skeleton));
}

function skeletonsOf(name: string): string[] {
  return usernameSkeletons(name.replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''));
}

import { isEmail, normalizeEmail, type ErrorCode } from '@parley/contract';
import { Type, type Static, type TSchema } from 'typebox';
import {
  createResetKey,
  deleteRegistrations,
  findAccountsByName,
  findRegistrationsByName,
  resumeAccount,
  suspendAccount,
  type AccountRow,
  type RegistrationRow,
} from '../accounts/account-admin.service.ts';
import { toReadableEmail } from '../accounts/readable-email.ts';
import { assignEmail } from '../accounts/email-change.service.ts';
import { endAccount } from '../accounts/account-deletion.service.ts';
import { assertDeliverable } from '../accounts/new-email.ts';
import { completeRegistration } from '../accounts/registration.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { createSmtpUtf8Check } from '../mail/smtp-utf8-check.ts';
import { eraseQueued } from '../erasure/eraser.ts';
import { createInvitation, revokeInvitation } from '../invitations/invitation.service.ts';
import { closeReport } from '../reports/report.service.ts';
import { createProbeToken } from '../public-probe/probe-token.ts';
import type { WriteContext } from '../storage/storage.ts';
import { OperatorError } from './operator-error.ts';
import { getSiteUrl } from './site-url.ts';

/** The context of operations, in the server or in a command without a running server. */
export type OperatorContext = Pick<Context, 'config' | 'storage' | 'maintenance' | 'media' | 'log'>;

/** A change that an operator can make. */
export interface Operation<Request extends TSchema = TSchema, Result extends TSchema = TSchema> {
  /** Identifies the operation in the protocol between a command and the server. */
  readonly name: string;
  readonly request: Request;
  readonly result: Result;
  /**
   * Makes the change. Once `signal` is aborted, work that the next server resumes may be left
   * undone.
   * @throws {OperatorError}
   */
  run(ctx: OperatorContext, request: Static<Request>, signal: AbortSignal): Promise<Static<Result>>;
}

function defineOperation<Request extends TSchema, Result extends TSchema>(
  operation: Operation<Request, Result>,
): Operation<Request, Result> {
  return operation;
}

const strict = { additionalProperties: false };
/** A username or an email address. */
const UserRequest = Type.Object({ user: Type.String() }, strict);
const accountFields = { username: Type.String(), email: Type.String() };
/** UTC milliseconds. */
const Time = Type.Integer();
const Count = Type.Integer({ minimum: 1, maximum: 999_999 });

/** Defines a change of a user's account or registrations, which returns the one that was changed. */
function defineUserOperation(
  name: string,
  change: (write: WriteContext, user: string) => Promise<AccountRow | RegistrationRow>,
  finish?: (ctx: OperatorContext, signal: AbortSignal) => Promise<void>,
) {
  return defineOperation({
    name,
    request: UserRequest,
    result: Type.Object(accountFields),
    async run(ctx, { user }, signal) {
      const { username, email } = await ctx.storage.write((write) => change(write, user));
      await finish?.(ctx, signal);
      return { username, email };
    },
  });
}

/** Verifies the only registration of a user, like the emailed key. */
export const verifyUserOperation = defineUserOperation('verify-user', async (write, user) => {
  const [registration, ...others] = await findRegistrationsByName(write, user);
  if (registration === undefined) return getAccount(write, user);
  if (others.length > 0) {
    throw new OperatorError(
      `There are ${others.length + 1} registrations of ${user}, and only the emailed key tells whose is right. ` +
        "If the user cannot receive it, delete them with 'parley user delete' and let the user register again.",
    );
  }
  await completeRegistration(write, registration);
  return registration;
});

/** Creates a key to set a new password, which replaces an earlier one, and the link that contains it. */
export const createResetLinkOperation = defineOperation({
  name: 'create-reset-link',
  request: UserRequest,
  result: Type.Object({
    ...accountFields,
    key: Type.String(),
    link: Type.String(),
    expiresAt: Time,
  }),
  run: ({ config, storage }, { user }) =>
    storage.write(async (write) => {
      const { id, username, email } = await getAccount(write, user);
      const { key, expiresAt } = await createResetKey(write, id);
      const fragment = new URLSearchParams({ email: toReadableEmail(email), key }).toString();
      const link = `${getSiteUrl(config)}/new-pw#${fragment}`;
      return { username, email, key, link, expiresAt };
    }),
});

/** Deletes an account and erases its data, or deletes registrations that are not verified yet. */
export const deleteUserOperation = defineUserOperation(
  'delete-user',
  async (write, user) => {
    const registrations = await findRegistrationsByName(write, user);
    const [first] = registrations;
    if (first !== undefined) {
      const ids = registrations.map(({ id }) => id);
      await deleteRegistrations(write.trx, ids);
      return first;
    }
    const account = await getAccount(write, user);
    await endAccount(write, account.id);
    return account;
  },
  async (ctx, signal) => {
    await eraseQueued(ctx, signal);
    if (!signal.aborted) await ctx.maintenance.truncateWriteAheadLog();
  },
);

/** Suspends an account and ends its sessions. */
export const suspendUserOperation = defineUserOperation('suspend-user', async (write, user) => {
  const account = await getAccount(write, user);
  await suspendAccount(write, account);
  return account;
});

/** Ends the suspension of an account. */
export const resumeUserOperation = defineUserOperation('resume-user', async (write, user) => {
  const account = await getAccount(write, user);
  await resumeAccount(write, account.id);
  return account;
});

/** Gives an account another email address, whatever domains the server allows, and ends its sessions. */
export const setEmailOperation = defineOperation({
  name: 'set-email',
  request: Type.Object({ user: Type.String(), email: Type.String() }, strict),
  result: Type.Object(accountFields),
  async run({ config, storage }, request) {
    const email = normalizeEmail(request.email);
    if (!isEmail(email)) throw new OperatorError(`${request.email} is not an email address.`);
    try {
      await assertDeliverable({ supportsSmtpUtf8: createSmtpUtf8Check(config) }, email);
      return await storage.write(async (write) => {
        const { id, username } = await getAccount(write, request.user);
        await assignEmail(write, id, email);
        return { username, email };
      });
    } catch (error) {
      const reason = error instanceof AppError ? SET_EMAIL_FAILURES[error.code] : undefined;
      if (reason === undefined) throw error;
      throw new OperatorError(`${request.email} ${reason}`);
    }
  },
});

/** Why an account cannot have an email address, by error code. */
const SET_EMAIL_FAILURES: Partial<Record<ErrorCode, string>> = {
  email_not_supported:
    'has other letters than ASCII before the @, for which the mail server needs to support SMTPUTF8.',
  already_verified: 'is the email address of the account already.',
  account_taken:
    'is the email address of another account, or was until its user changed it within the last 7 days.',
};

/** Creates an invitation and its link. */
export const createInvitationLinkOperation = defineOperation({
  name: 'create-invitation-link',
  request: Type.Object({ uses: Count, days: Count, note: Type.String() }, strict),
  result: Type.Object({
    id: Type.String(),
    link: Type.String(),
    expiresAt: Time,
    /** The server's `PARLEY_REGISTRATION`. */
    registration: Type.String(),
  }),
  async run({ config, storage }, request) {
    const { id, code, expiresAt } = await storage.write((write) =>
      createInvitation(write, request),
    );
    const link = `${getSiteUrl(config)}/register#invitation=${code}`;
    return { id, link, expiresAt, registration: config.registration };
  },
});

/** Revokes an invitation. */
export const revokeInvitationOperation = defineOperation({
  name: 'revoke-invitation',
  request: Type.Object({ id: Type.String() }, strict),
  result: Type.Object({}),
  run: ({ storage }, { id }) =>
    storage.write(async (write) => {
      if (await revokeInvitation(write, id)) return {};
      throw new OperatorError(`There is no invitation ${id}.`);
    }),
});

/** Closes a report. */
export const closeReportOperation = defineOperation({
  name: 'close-report',
  request: Type.Object({ id: Type.String() }, strict),
  result: Type.Object({ closedAt: Time }),
  run: ({ storage }, { id }) =>
    storage.write(async (write) => {
      const closedAt = await closeReport(write, id);
      if (closedAt !== undefined) return { closedAt };
      throw new OperatorError(`There is no report ${id}.`);
    }),
});

/** Creates a token for requests through the public address that the server describes instead of handling them. */
export const createProbeTokenOperation = defineOperation({
  name: 'create-probe-token',
  request: Type.Object({}, strict),
  result: Type.Object({ token: Type.String() }),
  run: async ({ storage }) => ({ token: await createProbeToken(storage) }),
});

/** All operations that the running server accepts on its socket. */
export const OPERATIONS: readonly Operation[] = [
  verifyUserOperation,
  createResetLinkOperation,
  deleteUserOperation,
  suspendUserOperation,
  resumeUserOperation,
  setEmailOperation,
  createInvitationLinkOperation,
  revokeInvitationOperation,
  closeReportOperation,
  createProbeTokenOperation,
];

async function getAccount(write: WriteContext, user: string): Promise<AccountRow> {
  const [found, ...others] = await findAccountsByName(write.trx, user);
  if (others.length > 0) {
    throw new OperatorError(
      `There are ${others.length + 1} accounts with the email address ${user}. Enter a username instead.`,
    );
  }
  if (found !== undefined) return found;
  if ((await findRegistrationsByName(write, user)).length > 0) {
    throw new OperatorError(
      `${user} is not verified yet. Verify it with 'parley user verify' first.`,
    );
  }
  throw new OperatorError(`There is no account with the username or email address ${user}.`);
}

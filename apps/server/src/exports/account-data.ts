import { pickSettings } from '@parley/contract/schemas';
import { getCurrentUser } from '../accounts/account.service.ts';
import { getFormerEmails } from '../accounts/email-change.service.ts';
import { toReadableEmail } from '../accounts/readable-email.ts';
import { listBlocked } from '../chatrooms/consent.service.ts';
import type { Context } from '../context.ts';
import { listUserInvitations } from '../invitations/user-invitation.service.ts';
import { getSettings } from '../notifications/notification-settings.service.ts';
import { listDevices } from '../notifications/subscription.service.ts';
import { listReportsBy } from '../reports/report.service.ts';
import { listSessions } from '../sessions/session.service.ts';

/** Everything that the server knows of a user, except for the chats. */
export type AccountData = Awaited<ReturnType<typeof readAccountData>>;

/**
 * Reads the data of an account.
 * @param codeSecret the secret from which the codes of invitations are derived
 * @throws {AppError} `unauthenticated` if the account has just been deleted
 */
export async function readAccountData(ctx: Context, userId: string, codeSecret: string) {
  // No session, so that none is the current one.
  const session = { userId, sessionId: '' };
  const user = await getCurrentUser(ctx, userId);
  const formerEmails = await getFormerEmails(ctx, userId);
  const sessions = await listSessions(ctx, session);
  const devices = await listDevices(ctx, session);
  const { version: _version, ...notifications } = await getSettings(ctx, userId);
  const { blocked } = await listBlocked(ctx, userId);
  const invitations = await listUserInvitations({ ...ctx, codeSecret }, userId);
  const reports = await ctx.storage.read((db) => listReportsBy(db, userId));
  return {
    account: {
      username: user.username,
      email: user.usermail,
      /** The address that the user wants to change to. */
      newEmail: user.newUsermail ?? null,
      formerEmails: formerEmails.map(({ email, expires_at }) => ({
        email: toReadableEmail(email),
        restorableUntil: new Date(expires_at).toISOString(),
      })),
      registeredAt: user.dateOfRegistration,
    },
    settings: { ...pickSettings(user), notifications },
    sessions: sessions.map(({ id, device, createdAt, lastSeenAt }) => {
      const found = devices.find(({ sessionId }) => sessionId === id);
      const push = found && { service: found.service, subscribedAt: found.subscribedAt };
      return { id, device, createdAt, lastSeenAt, push };
    }),
    blocked,
    invitations,
    reports: reports.map((report) => ({
      createdAt: new Date(report.created_at).toISOString(),
      reported: report.reported,
      reason: report.reason,
      comment: report.comment,
      messages: report.messages,
    })),
  };
}

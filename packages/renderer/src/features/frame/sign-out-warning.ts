import { isServerReachable, type Client } from '@parley/client';

/**
 * Why a logout needs a confirmation: messages are unsent, and for `offline` there is no connection
 * either, so the session ends on the server only later.
 */
export type SignOutWarning = 'offline' | 'unsent';

type ConnectionStatus = ReturnType<Client['connection']['getState']>['status'];

/**
 * Returns why a logout needs a confirmation, or undefined if nothing in the outbox would be lost.
 * Without a connection, the warning also explains what happens to the session.
 */
export function getSignOutWarning(
  { entries, changes }: Pick<ReturnType<Client['outbox']['getState']>, 'entries' | 'changes'>,
  status: ConnectionStatus,
): SignOutWarning | undefined {
  // A first message that failed is a draft again, and drafts of texts need no confirmation.
  const hasUnsent = entries.some(({ state, file }) => state !== 'draft' || file);
  // Up to where the user has read is no loss.
  const hasChanges = changes.some(({ key, isSettled }) => !isSettled && !key.startsWith('read:'));
  if (!hasUnsent && !hasChanges) return undefined;
  return isServerReachable({ status }) ? 'unsent' : 'offline';
}

import { isServerReachable, typeOfChange, type Client } from '@parley/client';

/**
 * Why a logout needs a confirmation: messages are unsent, and for `offline` there is no connection
 * either, so the session ends on the server only later.
 */
export type SignOutWarning = 'offline' | 'unsent';

type Change = ReturnType<Client['outbox']['getState']>['changes'][number];
type ConnectionStatus = ReturnType<Client['connection']['getState']>['status'];

const LOSSES: ReadonlySet<string | undefined> = new Set(['edit', 'deletion', 'status']);

/** Returns whether the user would miss a change. */
function isLoss(change: Change): boolean {
  return LOSSES.has(typeOfChange(change));
}

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
  const hasChanges = changes.some((change) => !change.isSettled && isLoss(change));
  if (!hasUnsent && !hasChanges) return undefined;
  return isServerReachable({ status }) ? 'unsent' : 'offline';
}

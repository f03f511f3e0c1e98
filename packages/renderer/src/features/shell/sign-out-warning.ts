import type { Client, OutboxEntry } from '@parley/client';

/** Why a logout needs a confirmation: the server is not reachable, or messages are not sent yet. */
export type SignOutWarning = 'offline' | 'unsent';

type ConnectionStatus = ReturnType<Client['connection']['getState']>['status'];

/**
 * Returns why a logout needs a confirmation, or undefined if nothing in the outbox would be lost.
 * Without a connection, the warning names the consequences for the session as well.
 */
export function getSignOutWarning(
  entries: readonly OutboxEntry[],
  status: ConnectionStatus,
): SignOutWarning | undefined {
  if (entries.length === 0) return undefined;
  return status === 'online' ? 'unsent' : 'offline';
}

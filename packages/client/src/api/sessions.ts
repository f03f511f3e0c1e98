import type { SessionList } from '@parley/contract';
import type { ApiClient } from './client.ts';

/** Fetches the sessions of the current user, this one included. */
export function fetchSessions(api: ApiClient): Promise<SessionList> {
  return api.call('listSessions');
}

/** Ends one session. */
export function endSession(api: ApiClient, id: string): Promise<unknown> {
  return api.call('endSession', { params: { id } });
}

/** Ends every session but this one. */
export function endOtherSessions(api: ApiClient): Promise<unknown> {
  return api.call('endOtherSessions');
}

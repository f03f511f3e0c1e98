import type { SessionList } from '@parley/contract';
import type { ApiClient } from './client.ts';

/** Where the person is signed in, this session included. */
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

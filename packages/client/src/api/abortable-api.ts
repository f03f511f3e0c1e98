import type { ApiClient } from './client.ts';

/**
 * Returns an API that rejects calls once the signal is aborted, because the session may then belong
 * to another user.
 */
export function createAbortableApi(signal: AbortSignal, api: ApiClient): ApiClient {
  return {
    origin: api.origin,
    checkUser: () => {
      signal.throwIfAborted();
      api.checkUser();
    },
    call: async (name, ...args) => {
      signal.throwIfAborted();
      return api.call(name, ...args);
    },
    callIfChanged: async (name, etag, ...args) => {
      signal.throwIfAborted();
      return api.callIfChanged(name, etag, ...args);
    },
  };
}

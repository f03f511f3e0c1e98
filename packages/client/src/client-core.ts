import type { ApiClient } from './api/client.ts';
import type { ClientEvents } from './client-events.ts';
import type { ClientStores } from './client-stores.ts';
import type { Platform } from './platform.ts';
import type { ClientTiming } from './timing.ts';

/** A loader of the chat list. It never fetches the list twice at the same time. */
export interface ChatListLoader {
  /** Fetches now. Rejects with an `ApiError`, which the store also receives. */
  load: () => Promise<void>;
  /**
   * Fetches soon, and again after a temporary failure. Throttles frequent requests.
   * @param isNeeded returns whether what has arrived until then still lacks something. By default, it does
   */
  request: (isNeeded?: () => boolean) => void;
}

/** The dependencies that the parts of a client share. */
export interface ClientCore {
  /** Rejects calls once `signal` is aborted. */
  api: ApiClient;
  username: string;
  platform: Platform;
  stores: ClientStores;
  chatList: ChatListLoader;
  events: Partial<ClientEvents>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  timing: ClientTiming;
}

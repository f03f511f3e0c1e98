import type { ApiClient } from './api/client.ts';
import type { ClientEvents } from './client-events.ts';
import type { ClientStores } from './client-stores.ts';
import type { Platform } from './platform.ts';
import type { ChatListLoader } from './sync/chat-list-loader.ts';
import type { ClientTiming } from './timing.ts';

/** The dependencies that the parts of a client share. */
export interface ClientCore {
  /** Rejects calls once `signal` is aborted. */
  api: ApiClient;
  /** Name of the signed-in user. */
  username: string;
  platform: Platform;
  stores: ClientStores;
  chatList: ChatListLoader;
  events: Partial<ClientEvents>;
  /** Aborted once the client is disposed of. */
  signal: AbortSignal;
  timing: ClientTiming;
}

import type { ApiClient } from '../src/api/client.ts';
import { createClientStores, type ClientStores } from '../src/client-stores.ts';
import type { OutboxContext } from '../src/outbox/outbox-context.ts';
import type { OutboxStore } from '../src/outbox/outbox-store.ts';
import type { Platform } from '../src/platform.ts';
import type { OpenedStorage } from '../src/storage/open-storage.ts';
import { DEFAULT_TIMING } from '../src/timing.ts';

interface TestedClient {
  readonly api: ApiClient;
  readonly platform: Platform;
  readonly opened: OpenedStorage;
  readonly outbox: OutboxStore;
  readonly signal: AbortSignal;
}

/** Creates what an outbox needs, with the stores of Ada's session, which know no chats. */
export function createOutboxContext(
  { api, platform, opened, outbox, signal }: TestedClient,
  changes: Partial<OutboxContext> = {},
): OutboxContext & { readonly stores: ClientStores } {
  return {
    chatList: { request: () => undefined },
    events: {},
    timing: DEFAULT_TIMING,
    isVersionSupported: async () => true,
    applyChat: () => undefined,
    refetchChat: () => undefined,
    changeChat: () => undefined,
    ...changes,
    api,
    platform,
    stores: createClientStores(platform, 'ada', opened, outbox.store, signal),
    signal,
  };
}

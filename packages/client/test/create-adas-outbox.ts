import { createHeadlessPlatform } from '../src/headless-platform.ts';
import { createOutboxStore, type OutboxStore } from '../src/outbox/outbox-store.ts';

/** Creates the outbox of Ada without a storage or other tabs. */
export function createAdasOutbox(): OutboxStore {
  return createOutboxStore({
    platform: createHeadlessPlatform(),
    username: 'Ada',
    opened: Promise.resolve(undefined),
    signal: new AbortController().signal,
    onRead: () => undefined,
    onSettledElsewhere: () => undefined,
  });
}

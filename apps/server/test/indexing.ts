import { indexNext, indexOutdatedBlock } from '../src/search/indexing.service.ts';
import { findUnfinishedChatrooms } from '../src/search/search-index.repository.ts';
import type { TestServer } from './harness.ts';

/** Indexes all messages, as the background job does once no message has been sent for a while. */
export async function indexAll({ ctx: { storage } }: TestServer): Promise<void> {
  while (await indexOutdatedBlock(storage));
  for (const { id } of await storage.read((db) => findUnfinishedChatrooms(db, '', 1_000))) {
    for (let isDone = false, hasMore = true; !isDone || hasMore;) {
      ({ isDone, hasMore } = await indexNext(storage, id, { isQuiet: true }));
    }
  }
}

import { countUnindexed } from '../search/indexing.service.ts';
import type { Storage } from '../storage/storage.ts';
import { createFindings, type Finding } from './finding.ts';

const search = createFindings('search');

/** Number of messages that wait for the index from which searches take noticeably longer. */
const NOTICEABLE = 10_000;

/** Checks whether the search index contains the messages. */
export async function checkSearch(storage: Pick<Storage, 'read'>): Promise<Finding> {
  const count = await countUnindexed(storage);
  if (count === 0) return search.ok('the index is up to date');
  if (count < NOTICEABLE) return search.ok(`messages that wait for the index: ${count}`);
  return search.warning(
    `${count} messages wait for the index. Searches find them already, but take longer.`,
    'Let the server run. Its log says when the index has caught up, and the metric parley_search_unindexed_messages how much is left.',
  );
}

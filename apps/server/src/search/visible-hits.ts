import { isTextual } from '@parley/contract';
import { listVisible, type VisibleMessage } from '../messages/found-messages.service.ts';
import type { Reader } from '../storage/storage.ts';
import type { Conditions } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';
import type { TaskResult } from './search-matches.ts';

/**
 * Returns the messages of results that the user sees and that meet all conditions, in any order. No text
 * that the user must not see has an effect, as the results are only candidates. Texts have been matched before.
 */
export async function listHits(
  db: Reader,
  userId: string,
  results: readonly TaskResult[],
  { kind, from, after, before, words }: Conditions,
  effort: Effort,
): Promise<VisibleMessage[]> {
  const ranges = results.flatMap((result) => result.ranges);
  const messages = await listVisible(db, userId, ranges);
  effort.spend('message', messages.length);
  return messages.filter(
    (message) =>
      message.created_at >= after &&
      message.created_at < before &&
      (from === undefined || (from === 'me') === (message.is_own === 1)) &&
      (words.length === 0 || isTextual(message.kind)) &&
      isOfKind(message, kind),
  );
}

function isOfKind({ kind }: VisibleMessage, wanted: Conditions['kind']): boolean {
  if (wanted === undefined) return true;
  return wanted === 'link' ? isTextual(kind) : kind === wanted;
}

import { LIMITS, type Message, type SearchConditions, type SearchHit } from '@parley/contract';
import { createMatcher } from './search-conditions.ts';

/** A live change of messages that may be among the results of a search. */
export type HitChange =
  | { readonly type: 'updated'; readonly message: Message }
  | { readonly type: 'deleted'; readonly messageId: string }
  /** The user has deleted a chat, perhaps with later messages that stay. */
  | { readonly type: 'cleared'; readonly chatroomId: string; readonly seq: number }
  /** A chatroom is no longer listed. */
  | { readonly type: 'room-gone'; readonly chatroomId: string }
  /** The partner's account and messages were deleted. */
  | { readonly type: 'partner-deleted'; readonly chatroomId: string };

/** The part of a search's state that live changes affect. */
interface FoundHits {
  readonly conditions: SearchConditions;
  readonly hits: readonly SearchHit[];
  readonly total: number | undefined;
}

/** Returns the state after live changes. Results that no longer match are gone. */
export function withChangedHits<State extends FoundHits>(
  state: State,
  changes: readonly HitChange[],
  username: string,
): State {
  const { conditions, total } = state;
  const hits = changes.reduce(
    (current, change) => changeHits(current, change, conditions, username),
    state.hits,
  );
  if (hits === state.hits) return state;
  const gone = state.hits.length - hits.length;
  const isExact = total !== undefined && total < LIMITS.searchTotalMax;
  return { ...state, hits, ...(isExact && { total: Math.max(total - gone, hits.length) }) };
}

function changeHits(
  hits: readonly SearchHit[],
  change: HitChange,
  conditions: SearchConditions,
  username: string,
): readonly SearchHit[] {
  if (change.type !== 'updated') {
    const left = hits.filter(({ message }) => !isGone(message, change, conditions, username));
    return left.length < hits.length ? left : hits;
  }
  const { message } = change;
  const known = hits.find((hit) => hit.message._id === message._id);
  if (!known || known.message.rev >= message.rev) return hits;
  const next = createMatcher(conditions, username)(message);
  return hits.flatMap((hit) => (hit === known ? (next ?? []) : hit));
}

/** Returns whether a change removes a message from the results. */
function isGone(
  { _id, chatroom, seq, sender }: Message,
  change: Exclude<HitChange, { type: 'updated' }>,
  conditions: SearchConditions,
  username: string,
): boolean {
  if (change.type === 'deleted') return _id === change.messageId;
  if (chatroom !== change.chatroomId) return false;
  if (change.type === 'cleared') return seq <= change.seq;
  // A blocked chatroom can still be open and be searched by itself.
  if (change.type === 'room-gone') return conditions.chatroomId === undefined;
  return sender.username !== username;
}

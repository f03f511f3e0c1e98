import { createExcerpt, type SearchHit, type SearchResponse } from '@parley/contract';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { readMessagesById } from '../messages/found-messages.service.ts';
import { hasChatroom } from '../relationships/relationship.ts';
import { takeTurn } from '../scheduling/time-slices.ts';
import { findRelationship } from '../storage/relationships.ts';
import type { Reader } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { searchAll } from './search-all.ts';
import { formatCursor, type Conditions } from './parse-conditions.ts';
import type { Effort } from './search-effort.ts';
import { findSearchableChatroom } from './search-index.repository.ts';
import { searchChatroom, type FoundPage } from './search-chatroom.ts';

/** A message that was found, before it gets its wire format. */
type FoundHit = Omit<SearchHit, 'message'> & { message: ViewedMessage };

/**
 * Searches the messages that a user sees. Counts in `effort` what that takes.
 * @throws {AppError} `room_not_found`
 */
export async function searchMessages(
  ctx: Context,
  userId: string,
  conditions: Conditions,
  effort: Effort,
): Promise<Omit<SearchResponse, 'hits'> & { hits: FoundHit[] }> {
  return ctx.storage.read(async (db) => {
    const page = await findPage(db, userId, conditions, effort);
    const ids = page.hits.map(({ id }) => id);
    const messages = await readMessagesById(db, ids, userId);
    const hits: FoundHit[] = [];
    for (const message of messages) {
      await takeTurn();
      hits.push(createHit(message, conditions, effort));
    }
    const cursor =
      hits.length < page.hits.length ? cursorAfter(page, hits.length, conditions) : page.cursor;
    return {
      hits,
      ...(cursor && { cursor: formatCursor(cursor) }),
      ...(page.total !== undefined && { total: page.total }),
    };
  });
}

function createHit(message: ViewedMessage, { words }: Conditions, effort: Effort): FoundHit {
  effort.spend('hit', 1);
  const { content } = message;
  if (typeof content !== 'string') return { message, excerpt: { text: '', ranges: [] } };
  if (words.length > 0) effort.spend('marking', content.length / 1024);
  return { message, excerpt: createExcerpt(content, words) };
}

async function findPage(
  db: Reader,
  userId: string,
  conditions: Conditions,
  effort: Effort,
): Promise<FoundPage> {
  const { chatroomId, words, kind } = conditions;
  // Only texts contain words.
  const isImpossible = words.length > 0 && (kind === 'image' || kind === 'audio');
  if (chatroomId === undefined) {
    return isImpossible
      ? { hits: [], cursor: undefined }
      : searchAll(db, userId, conditions, effort);
  }
  const known = await findRelationship(db, chatroomId, userId);
  if (known === undefined || !hasChatroom(known)) throw new AppError('room_not_found');
  const room = await findSearchableChatroom(db, { userId, chatroomId });
  if (isImpossible || room === undefined) return { hits: [], cursor: undefined, total: 0 };
  return searchChatroom(db, userId, room, conditions, effort);
}

/** Returns the cursor of a response that contains only the first messages of a page. */
function cursorAfter({ hits }: FoundPage, count: number, { chatroomId }: Conditions) {
  const last = hits[count - 1];
  if (last === undefined) return undefined;
  return chatroomId === undefined
    ? { position: last.created_at, id: last.id }
    : { position: last.seq, id: '' };
}

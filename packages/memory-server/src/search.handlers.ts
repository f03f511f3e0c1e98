import {
  codePoints,
  containsWords,
  createExcerpt,
  foldText,
  hasWebLink,
  isTextual,
  LIMITS,
  longWords,
  parseSearchQuery,
  type SearchBody,
} from '@parley/contract';
import type { UserHandlers } from './endpoint-handlers.ts';
import { isVisible, toView } from './message-views.ts';
import { Refusal } from './refusal.ts';
import type { State, StoredMessage } from './state.ts';
import { findListedView, listViews, type View } from './views.ts';

interface Hit {
  view: View;
  message: StoredMessage;
}

/** Handlers of the search. */
export const searchHandlers = {
  searchMessages: ({ state, account, body }) => {
    const words = checkedWords(body);
    const { chatroomId, cursor, limit = LIMITS.searchPageDefault } = body;
    const meetsFilters = createFilter(body, account.id);
    const found = listSearched(state, account.id, chatroomId)
      .flatMap((view) => view.room.messages.map((message) => ({ view, message })))
      .filter(({ view, message }) => isVisible(state, view.room, message, account.id))
      .filter(({ message }) => meetsFilters(message))
      .filter(({ message }) => containsWords(foldText(message.content), words))
      .toSorted(body.order === 'oldest' ? compareHits : (a, b) => compareHits(b, a));
    const start = cursor === undefined ? 0 : found.findIndex((hit) => cursorAt(hit) === cursor) + 1;
    const hits = found.slice(start, start + limit);
    const last = start + limit < found.length ? hits.at(-1) : undefined;
    const isCounted = chatroomId !== undefined && cursor === undefined;
    return {
      hits: hits.map(({ view, message }) => ({
        message: toView(state, view.room, message, account.id),
        excerpt: createExcerpt(message.content, words),
      })),
      ...(last && { cursor: cursorAt(last) }),
      ...(isCounted && { total: Math.min(found.length, LIMITS.searchTotalMax) }),
    };
  },
} satisfies UserHandlers;

/** Returns the chatrooms that are searched: all except blocked ones, unless one of them is named. */
function listSearched(state: State, accountId: string, chatroomId: string | undefined): View[] {
  if (chatroomId !== undefined) return [findListedView(state, chatroomId, accountId)];
  return listViews(state, accountId).filter(
    ({ me }) => me.blockedAt === undefined && me.consent !== 'declined',
  );
}

/** Returns the words of a search whose conditions the server accepts. */
function checkedWords({ query = '', chatroomId, order, ...others }: SearchBody) {
  const { from, kind, before, after } = others;
  const words = parseSearchQuery(query);
  const hasFilter = [from, kind, before, after].some((each) => each !== undefined);
  if (words.length === 0 && !hasFilter) throw new Refusal('invalid_request');
  if (codePoints(query) > LIMITS.searchQueryMax) throw new Refusal('invalid_request');
  if (order === 'oldest' && chatroomId === undefined) throw new Refusal('invalid_request');
  if (words.length > 0 && chatroomId === undefined && longWords(words).length === 0) {
    throw new Refusal('search_too_short');
  }
  return words;
}

/** Creates the function that checks all conditions except for words. */
function createFilter(
  { from, kind, before = Infinity, after = -Infinity }: SearchBody,
  accountId: string,
) {
  return ({ senderId, kind: own, content, createdAt }: StoredMessage): boolean => {
    if (from !== undefined && (senderId === accountId) !== (from === 'me')) return false;
    if (createdAt >= before || createdAt < after) return false;
    if (kind === 'link') return isTextual(own) && hasWebLink(content);
    return kind === undefined || own === kind;
  };
}

/** Returns what continues a search after a hit. */
function cursorAt({ message: { seq, chatroomId } }: Hit): string {
  return `${seq}.${chatroomId}`;
}

/** Compares by time. Messages of one moment are in the order of their chatroom. */
function compareHits({ message: a }: Hit, { message: b }: Hit): number {
  return a.createdAt - b.createdAt || a.seq - b.seq;
}

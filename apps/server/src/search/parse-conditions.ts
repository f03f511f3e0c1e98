import {
  codePoints,
  LIMITS,
  longWords,
  parseSearchQuery,
  type SearchBody,
  type SearchWord,
} from '@parley/contract';
import { AppError } from '../errors/app-error.ts';
import { createWordMatcher, type WordMatcher } from './word-matcher.ts';

/** What a search asks for. */
export interface Conditions {
  readonly words: readonly SearchWord[];
  readonly matches: WordMatcher;
  readonly chatroomId: string | undefined;
  readonly from: SearchBody['from'];
  readonly kind: SearchBody['kind'];
  /** UTC milliseconds: sent at `after` or later, and before `before`. */
  readonly after: number;
  readonly before: number;
  readonly isOldestFirst: boolean;
  /** The last message of the page before. */
  readonly cursor: Cursor | undefined;
  readonly limit: number;
}

/** Where a page continues. */
export interface Cursor {
  /**
   * In a chatroom: the `seq` after which it continues, in the order of the search. Otherwise the time in
   * UTC milliseconds.
   */
  readonly position: number;
  /** Of messages sent at this time, only those with a lower id follow. Empty in a chatroom. */
  readonly id: string;
}

/**
 * Checks and parses the body of a search.
 * @throws {AppError} `invalid_request` or `search_too_short`
 */
export function parseConditions(body: SearchBody): Conditions {
  const { query = '', chatroomId, from, kind, order } = body;
  const words = parseSearchQuery(query);
  const isAny =
    words.length === 0 &&
    from === undefined &&
    kind === undefined &&
    body.before === undefined &&
    body.after === undefined;
  const isOldestFirst = order === 'oldest';
  if (isAny || codePoints(query) > LIMITS.searchQueryMax) throw new AppError('invalid_request');
  // Without a chatroom, the oldest messages of all chatrooms would have to be compared.
  if (isOldestFirst && chatroomId === undefined) throw new AppError('invalid_request');
  if (words.length > 0 && chatroomId === undefined && longWords(words).length === 0) {
    throw new AppError('search_too_short');
  }
  return {
    words,
    matches: createWordMatcher(words),
    chatroomId,
    from,
    kind,
    after: body.after ?? Number.MIN_SAFE_INTEGER,
    before: body.before ?? Number.MAX_SAFE_INTEGER,
    isOldestFirst,
    cursor: body.cursor === undefined ? undefined : parseCursor(body.cursor, chatroomId),
    limit: body.limit ?? LIMITS.searchPageDefault,
  };
}

/** Returns a cursor as it is on the wire. */
export function formatCursor({ position, id }: Cursor): string {
  return id === '' ? `s${position}` : `t${position}.${id}`;
}

function parseCursor(cursor: string, chatroomId: string | undefined): Cursor {
  const [, kind, position, id] = /^([st])(\d{1,15})(?:\.([0-9a-f-]{36}|~))?$/.exec(cursor) ?? [];
  const isInChatroom = kind === 's' && id === undefined;
  const isValid = chatroomId === undefined ? kind === 't' && id !== undefined : isInChatroom;
  if (!isValid) throw new AppError('invalid_request');
  return { position: Number(position), id: id ?? '' };
}

import { longWords, parseSearchQuery, type SearchConditions } from '@parley/contract';

/** Whether a search can start: `idle` without conditions, `tooShort` if all words are too short. */
export type ConditionsCheck = 'idle' | 'tooShort' | 'ready';

/** Checks conditions by the rules of the server. They are without empty ones. */
export function checkConditions(conditions: SearchConditions): ConditionsCheck {
  const { query = '', chatroomId, ...others } = conditions;
  const words = parseSearchQuery(query);
  if (words.length === 0) return Object.keys(others).length === 0 ? 'idle' : 'ready';
  return chatroomId === undefined && longWords(words).length === 0 ? 'tooShort' : 'ready';
}

/** Returns the conditions without those that have no effect, such as a query without words. */
export function withoutEmpty(conditions: SearchConditions): SearchConditions {
  const { query, ...others } = conditions;
  const given = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  );
  const words = query?.trim() ?? '';
  return parseSearchQuery(words).length === 0 ? given : { ...given, query: words };
}

/** Returns whether two conditions find the same messages. Both are without empty ones. */
export function isSameConditions(a: SearchConditions, b: SearchConditions): boolean {
  const keys = Object.keys({ ...a, ...b }) as (keyof SearchConditions)[];
  return keys.every((key) => a[key] === b[key]);
}

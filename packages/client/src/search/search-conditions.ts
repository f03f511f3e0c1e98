import {
  containsWords,
  createExcerpt,
  foldText,
  hasWebLink,
  isTextual,
  longWords,
  parseSearchQuery,
  type Message,
  type SearchConditions,
  type SearchHit,
} from '@parley/contract';

/** Checks by the rules of the server whether a search can start with conditions, which are without empty ones. */
export function checkConditions(conditions: SearchConditions): 'idle' | 'tooShort' | 'ready' {
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

/** Creates the function that returns a message as a result if the server would find it. */
export function createMatcher(
  conditions: SearchConditions,
  username: string,
): (message: Message) => SearchHit | undefined {
  const { chatroomId, from, kind, before = Infinity, after = -Infinity } = conditions;
  const words = parseSearchQuery(conditions.query ?? '');

  function meetsFilters({ chatroom, sender, kind: own, content, createdAt }: Message): boolean {
    if (chatroomId !== undefined && chatroom !== chatroomId) return false;
    if (from !== undefined && (sender.username === username) !== (from === 'me')) return false;
    const sentAt = Date.parse(createdAt);
    if (sentAt >= before || sentAt < after) return false;
    if (kind === 'link') return isTextual(own) && hasWebLink(content);
    return kind === undefined || own === kind;
  }

  return (message) => {
    if (!meetsFilters(message)) return undefined;
    const text = isTextual(message.kind) ? message.content : '';
    if (!containsWords(foldText(text), words)) return undefined;
    return { message, excerpt: createExcerpt(text, words) };
  };
}

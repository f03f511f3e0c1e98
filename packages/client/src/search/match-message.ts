import {
  containsWords,
  createExcerpt,
  foldText,
  hasWebLink,
  isTextual,
  parseSearchQuery,
  type Message,
  type SearchConditions,
  type SearchHit,
} from '@parley/contract';

/** Returns a message as a result if it meets the conditions. */
export type MatchMessage = (message: Message) => SearchHit | undefined;

/** Creates the function that finds the messages of a chatroom that the server would find. */
export function createMatcher(conditions: SearchConditions, username: string): MatchMessage {
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

import type { Chat, ListedChat } from '@parley/client';
import { containsWords, foldText, parseSearchQuery } from '@parley/contract';

/**
 * Returns the chats, without requests, whose partner's name contains the words of a text, those that begin with it
 * first. Without a text, those that are not archived.
 */
export function findChats(chats: readonly ListedChat[], text: string): ListedChat[] {
  const words = parseSearchQuery(text);
  const accepted = chats.filter(({ status }) => status !== 'request');
  if (words.length === 0) return accepted.filter(({ isArchived }) => isArchived !== true);
  const found = accepted.filter(({ names }) =>
    names.some((name) => containsWords(foldText(name), words)),
  );
  const begins = ({ names }: Chat): boolean =>
    words[0]?.some((spelling) => foldText(names[0] ?? '').startsWith(spelling)) === true;
  return [...found.filter(begins), ...found.filter((chat) => !begins(chat))];
}

/** Returns the chat to select first: the first one that is found and, without a text, not open. */
export function findInitial(
  chats: readonly ListedChat[],
  text: string,
  active: string | undefined,
): ListedChat | undefined {
  const found = findChats(chats, text);
  return found.find(({ id }) => text !== '' || id !== active) ?? found[0];
}

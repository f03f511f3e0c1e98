import type { ListedChat } from '@parley/client';

/** Returns the chat before or after another one in the chat list, or the first or last one if that is not listed. */
export function findNeighbor(
  chats: readonly ListedChat[],
  id: string | undefined,
  step: 1 | -1,
): ListedChat | undefined {
  const listed = chats.filter(
    ({ status, isArchived }) => status !== 'request' && isArchived !== true,
  );
  const index = listed.findIndex((chat) => chat.id === id);
  if (index < 0) return step > 0 ? listed[0] : listed.at(-1);
  return listed[index + step];
}

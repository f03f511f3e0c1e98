import type { ListedChat } from '@parley/client';

/** A row of the chat list. */
export type ListRow =
  | { readonly type: 'heading'; readonly key: 'requests' | 'chats' }
  | { readonly type: 'chat'; readonly key: string; readonly chat: ListedChat }
  /** The button that shows all requests, or fewer again. */
  | { readonly type: 'more'; readonly key: 'more'; readonly total: number }
  /** The button that shows or hides the archived chats below it. */
  | { readonly type: 'archive'; readonly key: 'archive'; readonly total: number };

/** Number of requests that are shown at first. */
export const REQUESTS_SHOWN = 3;

/**
 * Returns the rows of the chat list: first the section with message requests, and last the section with archived
 * chats, if there are any.
 */
export function buildListRows(
  chats: readonly ListedChat[],
  showsAllRequests: boolean,
  showsArchived = false,
): ListRow[] {
  const requests = chats.filter(({ isRequest }) => isRequest === true).map(rowOf);
  const others = chats.filter(({ isRequest }) => isRequest !== true);
  const accepted = others.filter(({ isArchived }) => isArchived !== true).map(rowOf);
  const archived = others.filter(({ isArchived }) => isArchived === true).map(rowOf);
  if (archived.length > 0) {
    accepted.push({ type: 'archive', key: 'archive', total: archived.length });
    if (showsArchived) accepted.push(...archived);
  }
  if (requests.length === 0) return accepted;
  const total = requests.length;
  return [
    { type: 'heading', key: 'requests' },
    ...(showsAllRequests ? requests : requests.slice(0, REQUESTS_SHOWN)),
    ...(total > REQUESTS_SHOWN ? [{ type: 'more', key: 'more', total } as const] : []),
    ...(accepted.length > 0 ? [{ type: 'heading', key: 'chats' } as const] : []),
    ...accepted,
  ];
}

function rowOf(chat: ListedChat): ListRow {
  return { type: 'chat', key: chat.id, chat };
}

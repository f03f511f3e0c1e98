import type { Chat } from '@parley/client';

/** A row of the chat list. */
export type ListRow =
  | { readonly type: 'heading'; readonly key: 'requests' | 'chats' }
  | { readonly type: 'chat'; readonly key: string; readonly chat: Chat }
  /** The button that shows all requests, or fewer again. */
  | { readonly type: 'more'; readonly key: 'more'; readonly total: number };

/** Number of requests that are shown at first. */
export const REQUESTS_SHOWN = 3;

/** Returns the rows of the chat list: first the section with message requests, if there are any. */
export function buildListRows(chats: readonly Chat[], showsAllRequests: boolean): ListRow[] {
  const requests = chats.filter(({ isRequest }) => isRequest === true).map(rowOf);
  const accepted = chats.filter(({ isRequest }) => isRequest !== true).map(rowOf);
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

function rowOf(chat: Chat): ListRow {
  return { type: 'chat', key: chat.id, chat };
}

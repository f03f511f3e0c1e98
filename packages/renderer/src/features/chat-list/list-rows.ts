import type { ListedChat } from '@parley/client';

/** A row of the chat list. */
export type ListRow =
  | { readonly type: 'chat'; readonly key: string; readonly chat: ListedChat }
  /** The button that shows or hides the quiet requests below it, of which `unread` have unread messages. */
  | {
      readonly type: 'requests';
      readonly key: 'requests';
      readonly total: number;
      readonly unread: number;
    }
  /** The button that shows or hides the archived chats below it. */
  | { readonly type: 'archive'; readonly key: 'archive'; readonly total: number };

/** The sections of the chat list that are open. */
export interface OpenSections {
  readonly requests: boolean;
  readonly archive: boolean;
}

/** Returns the rows of the chat list: first the quiet requests, and last the archived chats, if there are any. */
export function buildListRows(chats: readonly ListedChat[], open: OpenSections): ListRow[] {
  const requests = chats.filter(({ status }) => status === 'request');
  const others = chats.filter(({ status }) => status !== 'request');
  const archived = others.filter(({ isArchived }) => isArchived === true);
  const rows: ListRow[] = [];
  if (requests.length > 0) {
    const unread = requests.filter((request) => request.unread > 0).length;
    rows.push({ type: 'requests', key: 'requests', total: requests.length, unread });
    if (open.requests) rows.push(...requests.map(rowOf));
  }
  rows.push(...others.filter(({ isArchived }) => isArchived !== true).map(rowOf));
  if (archived.length > 0) {
    rows.push({ type: 'archive', key: 'archive', total: archived.length });
    if (open.archive) rows.push(...archived.map(rowOf));
  }
  return rows;
}

function rowOf(chat: ListedChat): ListRow {
  return { type: 'chat', key: chat.id, chat };
}

import type { ListedChat } from '@parley/client';
import { isUnreadChat } from './toggle-chat.ts';

/** A row of the chat list. */
export type ListRow =
  | { readonly type: 'chat'; readonly key: string; readonly chat: ListedChat }
  /** The button that shows or hides the quiet requests or the archived chats below it, of which `unread` are unread. */
  | SectionListRow<'requests'>
  | SectionListRow<'archive'>;

interface SectionListRow<Type> {
  readonly type: Type;
  readonly key: Type;
  readonly total: number;
  readonly unread: number;
}

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
    rows.push(sectionOf('requests', requests));
    if (open.requests) rows.push(...requests.map(rowOf));
  }
  rows.push(...others.filter(({ isArchived }) => isArchived !== true).map(rowOf));
  if (archived.length > 0) {
    rows.push(sectionOf('archive', archived));
    if (open.archive) rows.push(...archived.map(rowOf));
  }
  return rows;
}

function rowOf(chat: ListedChat): ListRow {
  return { type: 'chat', key: chat.id, chat };
}

function sectionOf<Type>(type: Type, chats: readonly ListedChat[]): SectionListRow<Type> {
  const unread = chats.filter(isUnreadChat).length;
  return { type, key: type, total: chats.length, unread };
}

/** The properties that determine a chat's position in the chat list. */
export interface ChatSortKey {
  readonly id: string;
  /** Whether the partner's account is deleted. */
  readonly isDeleted: boolean;
  /** Whether the user has pinned the chat. Has no effect on chats of deleted accounts. */
  readonly isPinned?: boolean;
  /** Place among the pinned chats, of which the highest is first. */
  readonly pinRank?: number;
  /** Time of the newest message, or its `activeAt`, or time of the chatroom's creation; ISO 8601. */
  readonly activeAt: string;
}

/** Compares chats for sorting: pinned chats first in their order, deleted accounts last, newest first. */
export function compareChats(a: ChatSortKey, b: ChatSortKey): number {
  const byDeleted = Number(a.isDeleted) - Number(b.isDeleted);
  if (byDeleted !== 0) return byDeleted;
  const byPinned = Number(b.isPinned ?? false) - Number(a.isPinned ?? false);
  if (byPinned !== 0 && !a.isDeleted) return byPinned;
  const byRank = a.isPinned && !a.isDeleted ? (b.pinRank ?? 0) - (a.pinRank ?? 0) : 0;
  if (byRank !== 0) return byRank;
  if (a.activeAt !== b.activeAt) return a.activeAt < b.activeAt ? 1 : -1;
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1;
}

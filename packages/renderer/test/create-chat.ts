import type { Chat } from '@parley/client';

/** Creates a chat without messages, whose id and partner have one name. */
export function createChat(name: string, changes: Partial<Chat> = {}): Chat {
  return {
    id: name,
    names: [name],
    isDeleted: false,
    activeAt: '2025-03-05T12:00:00.000Z',
    time: null,
    last: null,
    unread: 0,
    rev: 1,
    ...changes,
  };
}

import type { Chat } from '@parley/client';

/** Creates a chat without messages, whose id and partner have one name. */
export function createChat(name: string, changes: Partial<Chat> = {}): Chat {
  return {
    id: name,
    memberRev: 0,
    names: [name],
    isDeleted: false,
    status: 'accepted',
    activeAt: '2025-03-05T12:00:00.000Z',
    time: null,
    last: null,
    unread: 0,
    readSeq: 0,
    clearedSeq: 0,
    receipt: null,
    settings: {},
    rev: 1,
    ...changes,
  };
}

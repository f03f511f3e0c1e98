import type { Message } from '@parley/contract';

/** Creates a message of Bob to Ada, whose place in the chatroom is its revision, too. */
export function createMessage(seq: number, changes: Partial<Message> = {}): Message {
  return {
    _id: `m${seq}`,
    chatroom: 'room',
    content: `text ${seq}`,
    sender: { username: 'Bob' },
    createdAt: '2025-03-20T09:00:00.000Z',
    updatedAt: '2025-03-20T09:00:00.000Z',
    seq,
    rev: seq,
    kind: 'text',
    ...changes,
  };
}

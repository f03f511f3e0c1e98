import type { MessageKind } from '@parley/contract';

/** A message. A deleted one keeps its row, emptied, so that `rev` tells of it. */
export interface MessagesTable {
  id: string;
  chatroom_id: string;
  /** Place in the room, dense from 1; unique in the room. */
  seq: number;
  /** The room's revision in which it last changed; unique in the room. */
  rev: number;
  /** Null once the account is gone. */
  sender_id: string | null;
  kind: MessageKind;
  /** Text; empty for media and for deleted messages. */
  content: string;
  media_id: string | null;
  /** The sender's own id for it, unique with the sender: sending twice gives one message. */
  client_id: string | null;
  created_at: number;
  updated_at: number;
  deleted_at: number | null;
}

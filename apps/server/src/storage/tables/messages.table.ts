import type { MessageKind } from '@parley/contract';
import type { Generated } from 'kysely';

/** A message. A deleted message keeps its row without content, so that `rev` reports the deletion. */
export interface MessagesTable {
  id: string;
  chatroom_id: string;
  /** Position in the chatroom, consecutive from 1; unique in the chatroom. */
  seq: number;
  /** Revision of the chatroom in which the message last changed; unique in the chatroom. */
  rev: number;
  /** Null once the account is erased. */
  sender_id: string | null;
  kind: MessageKind;
  /** Text; empty for media and for deleted messages. */
  content: string;
  media_id: string | null;
  /** An id chosen by the sender's client, unique per sender, so that a retry creates no duplicate. */
  client_id: string | null;
  created_at: number;
  updated_at: number;
  /** 0 if it was erased because no member saw it any more. */
  deleted_at: number | null;
  /**
   * 1 for a message that only its sender sees: the partner had blocked the sender, or had deleted the
   * sender's request and accepted no new ones.
   */
  withheld: Generated<number>;
  /** An id chosen by the sender's client; consecutive messages with the same one are an album. */
  album_id: Generated<string | null>;
  /** 1 if the sender's client marked it as forwarded. */
  is_forwarded: Generated<number>;
  /**
   * The message of the same chatroom that this one replies to; null if it is no reply. The quoted content
   * is read from it, so that a change or deletion applies to all replies.
   */
  reply_to_id: Generated<string | null>;
  /**
   * Its place in the order of all messages, in UTC milliseconds, if it was sent after the clock had been put
   * back. Otherwise that is `created_at`.
   */
  active_at: Generated<number | null>;
}

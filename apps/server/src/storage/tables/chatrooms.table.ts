import type { Generated } from 'kysely';

/** A one-to-one conversation. */
export interface ChatroomsTable {
  id: string;
  /** The two user ids, sorted and joined with a colon; unique. */
  pair_key: string;
  /** `seq` of the newest message, including deleted ones. */
  last_seq: number;
  /** Increases by one with every change of a message. */
  last_rev: number;
  created_at: number;
}

/** A member of a chatroom. The row is deleted with the account. */
export interface ChatroomMembersTable {
  chatroom_id: string;
  user_id: string;
  /** The member has read everything up to this `seq`. */
  read_seq: number;
  /**
   * The member's consent to messages of the partner:
   *
   * - `accepted`: the member has written to the partner or accepted the partner
   * - `requested`: the partner has written, and the member has not decided yet
   * - `declined`: the member has deleted what the partner wrote
   */
  consent: Generated<Consent>;
  /**
   * 1 if messages that arrived before the member accepted the partner are a quiet request, by the member's setting
   * at the last one. 0 if they arrive as any others.
   */
  is_quiet: Generated<number>;
  /** Since when the member blocks the partner; null if not. */
  blocked_at: Generated<number | null>;
  /** Messages of the partner up to this `seq` are deleted for the member. */
  cleared_seq: Generated<number>;
  /** The member's own messages up to this `seq` are deleted for the member, who has deleted the chat. */
  own_cleared_seq: Generated<number>;
  /**
   * 1 if the member has deleted the chat, which is listed only while the member sees a message. Sending writes nothing
   * here. 0 again once the member searches for the partner or pins the chat, or an invitation introduces them.
   */
  is_removed: Generated<number>;
  /**
   * `seq` of the newest message when the member's latest block began, and when it ended. The member
   * sees no message between them.
   */
  block_start_seq: Generated<number>;
  block_end_seq: Generated<number>;
  /**
   * Up to which `seq` the partner is told that messages reached a device of the member, and that the
   * member read them. They do not advance while the member blocks the partner, has not accepted them
   * or does not share receipts. `seen_seq` is at most `read_seq` and at most `delivered_seq`.
   */
  delivered_seq: Generated<number>;
  seen_seq: Generated<number>;
  /**
   * The partner's `delivered_seq` and `seen_seq` when the partner's membership was erased with the account. The member
   * still sees how far own messages had come.
   */
  former_delivered_seq: Generated<number>;
  former_seen_seq: Generated<number>;
  /**
   * The partner's latest reaction to a message of the member: the message, the emoji, the time, and the
   * `seq` of the newest message of the chatroom at that time. Null without one, or once it is taken back
   * or the message is deleted.
   */
  reaction_message_id: Generated<string | null>;
  reaction_emoji: Generated<string | null>;
  reaction_at: Generated<number | null>;
  reaction_seq: Generated<number | null>;
  /** Whether the member has pinned the chat to the top of the list. */
  is_pinned: Generated<number>;
  /** Place among the pinned chats of the member, of which the highest is first. Means nothing if not pinned. */
  pin_rank: Generated<number>;
  /**
   * `seq` of the newest message when the member archived the chat; null if not archived. The chat is
   * archived until the partner sends a message that is not muted, so that sending writes nothing here.
   */
  archived_seq: Generated<number | null>;
  /** Until when the member has muted the chat. Stays when the time is over. */
  muted_until: Generated<number | null>;
  /** Whether the member has marked the chat as unread. */
  is_marked_unread: Generated<number>;
  /** When the partner used an invitation of the member; null if never, or if either had blocked the other. */
  invitation_accepted_at: Generated<number | null>;
  /** Increases when something changes for the member without a new `last_rev`. Never while a message is sent. */
  member_rev: Generated<number>;
}

/** A member's consent to messages of the partner. */
export type Consent = 'accepted' | 'requested' | 'declined';

/** A room of two. */
export interface ChatroomsTable {
  id: string;
  /** The two user ids, sorted, with a colon between; unique. */
  pair_key: string;
  /** `seq` of the newest message, deleted ones included. */
  last_seq: number;
  /** Grows by one with every change of a message. */
  last_rev: number;
  created_at: number;
}

/** A living member of a room; the row goes with the account. */
export interface ChatroomMembersTable {
  chatroom_id: string;
  user_id: string;
  /** Everything up to this `seq` is read. */
  read_seq: number;
}

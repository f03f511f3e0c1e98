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
}

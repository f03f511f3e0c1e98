/** A user's reaction to a message. The rows are deleted with the content of the message. */
export interface ReactionsTable {
  message_id: string;
  user_id: string;
  /** An emoji, or `:circassia:`. */
  emoji: string;
  /** Increases with each reaction to the message. */
  created_at: number;
  /** 1 for a reaction that only its user sees, because the partner had blocked the user. */
  withheld: number;
}

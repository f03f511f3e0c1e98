/** A permission to register, or to chat with the user who created it. */
export interface InvitationsTable {
  id: string;
  /** SHA-256 of the code in the link. */
  code_hash: string;
  /** A note of its creator, such as the invited person's name. */
  note: string;
  /** How often it can still be used. */
  uses_left: number;
  created_at: number;
  expires_at: number;
  /** The user who created it; null for the operator. */
  inviter_id: string | null;
}

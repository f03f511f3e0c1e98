/** An operator's permission to register. */
export interface InvitationsTable {
  id: string;
  /** SHA-256 of the code in the link. */
  code_hash: string;
  /** A note of the operator, such as the invited person's name. */
  note: string;
  /** How many registrations it still permits. */
  uses_left: number;
  created_at: number;
  expires_at: number;
}

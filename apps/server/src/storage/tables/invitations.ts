/** An operator's permission to register. */
export interface InvitationsTable {
  id: string;
  /** SHA-256 of the code in the link. */
  code_hash: string;
  /** For the operator: who it was meant for. */
  note: string;
  /** Registrations that it still permits. */
  uses_left: number;
  created_at: number;
  expires_at: number;
}

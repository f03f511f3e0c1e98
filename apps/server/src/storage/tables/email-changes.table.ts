/** The address that a user wants to change to, until its key is entered; at most one per user. */
export interface EmailChangesTable {
  user_id: string;
  /** Normalized. Another account may have it: then no key was mailed. */
  email: string;
  /** SHA-256 of the emailed key, salted with the user's id. */
  key_hash: string;
  key_expires_at: number;
  tries_left: number;
}

/**
 * An address that an account had until its user changed it. The key in the mail to it takes the account back,
 * and until the key expires, no other account can have the address.
 */
export interface FormerEmailsTable {
  /** SHA-256 of the emailed key. */
  key_hash: string;
  user_id: string;
  /** Normalized. */
  email: string;
  /** As `users.email` had it, which differs if another account has the same mailbox. */
  stored_email: string;
  /** Increases with each change of the account. */
  position: number;
  expires_at: number;
}

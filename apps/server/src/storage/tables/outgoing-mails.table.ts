/** The kind of a mail. */
export type MailPurpose = 'verify' | 'reset' | 'password-changed';

/**
 * A mail that has not been sent yet. Its text is created when it is sent, from the user's current data.
 * The row is deleted after sending and with the account.
 */
export interface OutgoingMailsTable {
  id: string;
  user_id: string;
  purpose: MailPurpose;
  /** The key that the mail contains, or null. It is not stored in plain text anywhere else. */
  key: string | null;
  attempts: number;
  /** The time of the next attempt. */
  next_attempt_at: number;
  /** The time from which the mail is not sent any more, because its key is no longer valid. */
  expires_at: number;
  created_at: number;
}

/** What a mail is about. */
export type MailPurpose = 'verify' | 'reset' | 'password-changed';

/**
 * A mail that has not been handed over yet: its text is made at that moment, for the person as they
 * are then. The row goes when it was handed over, and with the account.
 */
export interface OutgoingMailsTable {
  id: string;
  user_id: string;
  purpose: MailPurpose;
  /** The key that the mail brings; null where it brings none. Stored nowhere else in the clear. */
  key: string | null;
  attempts: number;
  /** Not to be tried before. */
  next_attempt_at: number;
  /** Not to be sent any more from then on, as its key is no longer valid. */
  expires_at: number;
  created_at: number;
}

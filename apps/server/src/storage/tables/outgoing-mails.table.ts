/** The kind of a mail. */
export type MailPurpose =
  | 'verify'
  | 'reset'
  | 'password-changed'
  /** To the address that a user wants to change to, with a key. */
  | 'change-email'
  /** To an address that a user wants to change to, although it is that of another account. */
  | 'email-taken'
  /** To the address that a user has changed, with a key to take the account back. */
  | 'email-changed'
  /** To the address that an account had until it was taken back. */
  | 'email-restored'
  /** To the address that the operator has changed. */
  | 'email-set';

/**
 * A mail to an account or a registration that has not been sent yet. Its text is created when it is sent,
 * from the recipient's current data. The row is deleted after sending and with its recipient.
 */
export interface OutgoingMailsTable {
  id: string;
  /** Null for a mail to a registration. */
  user_id: string | null;
  /** Null for a mail to an account. */
  registration_id: string | null;
  /** Where it goes. Null for the address that the recipient has when it is sent. */
  email: string | null;
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

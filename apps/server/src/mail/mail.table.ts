/** A mail that has not been handed over yet. The row goes when it has. */
export interface OutgoingMailsTable {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  attempts: number;
  /** Not to be tried before. */
  next_attempt_at: number;
  created_at: number;
}

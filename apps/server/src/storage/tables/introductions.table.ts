/**
 * An account that registered with a user's invitation. It becomes a chat of both when the account is
 * verified, and the row is then deleted.
 */
export interface IntroductionsTable {
  user_id: string;
  inviter_id: string;
}

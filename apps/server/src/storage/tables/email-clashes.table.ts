/**
 * Accounts whose mailbox another account had first, although its address was written otherwise. Their column
 * `users.email` has the address as it was stored before. There are no new ones.
 */
export interface EmailClashesTable {
  user_id: string;
  /** The form in which addresses are compared, which `users.email` of the other account has. */
  email: string;
}

/** A skeleton of an account's username; one or two per account. Old names may share a skeleton. */
export interface UsernameSkeletonsTable {
  skeleton: string;
  user_id: string;
  /** Version of the Unicode data that it was computed with. */
  version: string;
}

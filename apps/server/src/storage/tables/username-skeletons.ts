/**
 * What an account's username looks like; one or two rows per account. Old names may share a skeleton.
 */
export interface UsernameSkeletonsTable {
  skeleton: string;
  user_id: string;
  /** Version of the Unicode data that it was computed with. */
  version: string;
}

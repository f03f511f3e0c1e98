/** What an account's name looks like; one or two rows an account. Old names may share a skeleton. */
export interface UsernameSkeletonsTable {
  skeleton: string;
  user_id: string;
  /** Of the Unicode data that it was made with. */
  version: string;
}

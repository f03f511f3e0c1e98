/** What an account sent to users who have not accepted it, in its latest active hour. */
export interface RequestCountsTable {
  user_id: string;
  /** Hours since 1970-01-01, UTC. */
  hour: number;
  messages: number;
  /** Number of chatrooms created. */
  rooms: number;
}

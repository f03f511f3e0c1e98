/** Number of messages that an account sent on its latest active day. */
export interface MessageCountsTable {
  user_id: string;
  /** Days since 1970-01-01, UTC. */
  day: number;
  sent: number;
}

/** A single row with the totals of all uploads, maintained by triggers. */
export interface MediaUsageTable {
  id: number;
  files: number;
  bytes: number;
}

/** Messages that an account has sent on its newest day. */
export interface MessageCountsTable {
  user_id: string;
  /** Days since 1970-01-01, UTC. */
  day: number;
  sent: number;
}

/** One row with what all uploads come to; triggers keep it. */
export interface MediaUsageTable {
  id: number;
  files: number;
  bytes: number;
}

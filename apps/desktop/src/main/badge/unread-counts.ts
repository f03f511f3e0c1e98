/** The unread counts of all servers. */
export interface UnreadCounts {
  /** Sets a server's count. */
  set: (server: string, count: number) => void;
  of: (server: string) => number;
  total: () => number;
}

/** Creates the counts, all zero. */
export function createUnreadCounts(): UnreadCounts {
  const counts = new Map<string, number>();
  const total = (): number => counts.values().reduce((sum, count) => sum + count, 0);
  return {
    total,
    of: (server) => counts.get(server) ?? 0,
    set: (server, count) => {
      if (count === 0) counts.delete(server);
      else counts.set(server, count);
    },
  };
}

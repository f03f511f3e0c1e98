import type { LiveSocket } from './live-socket.ts';
import type { LiveLimits } from './live-limits.ts';

/** The open live connections of this server. */
export interface Connections {
  readonly size: number;
  /** Returns the limit that one more connection of the user would exceed, if any. */
  findReachedLimit(userId: string): 'user' | 'server' | undefined;
  add(connection: LiveSocket): void;
  remove(connection: LiveSocket): void;
  /**
   * Returns a user's connections. The array never changes, so callers may remove connections while
   * iterating.
   */
  listByUser(userId: string): readonly LiveSocket[];
  /** Returns the connections of a session, given its public id. */
  listBySession(sessionId: string): readonly LiveSocket[];
  all(): readonly LiveSocket[];
}

const NONE: readonly LiveSocket[] = [];

/** Creates an empty registry of connections. */
export function createConnections(
  limits: Pick<LiveLimits, 'maxConnections' | 'maxConnectionsPerUser'>,
): Connections {
  const connections = new Set<LiveSocket>();
  // Most users have one connection: an immutable array needs less memory than a set and is safe to
  // iterate.
  const byUser = new Map<string, readonly LiveSocket[]>();
  const bySession = new Map<string, readonly LiveSocket[]>();

  return {
    get size() {
      return connections.size;
    },
    findReachedLimit(userId) {
      if (connections.size >= limits.maxConnections) return 'server';
      const own = byUser.get(userId) ?? NONE;
      return own.length >= limits.maxConnectionsPerUser ? 'user' : undefined;
    },
    add(connection) {
      connections.add(connection);
      addTo(byUser, connection.userId, connection);
      addTo(bySession, connection.sessionId, connection);
    },
    remove(connection) {
      connections.delete(connection);
      removeFrom(byUser, connection.userId, connection);
      removeFrom(bySession, connection.sessionId, connection);
    },
    listByUser: (userId) => byUser.get(userId) ?? NONE,
    listBySession: (sessionId) => bySession.get(sessionId) ?? NONE,
    all: () => [...connections],
  };
}

type Index = Map<string, readonly LiveSocket[]>;

function addTo(index: Index, key: string, connection: LiveSocket): void {
  index.set(key, [...(index.get(key) ?? NONE), connection]);
}

function removeFrom(index: Index, key: string, connection: LiveSocket): void {
  const rest = (index.get(key) ?? NONE).filter((other) => other !== connection);
  if (rest.length > 0) index.set(key, rest);
  else index.delete(key);
}

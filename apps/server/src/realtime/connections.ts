import type { LiveSocket } from './live-socket.ts';
import type { LiveLimits } from './live-limits.ts';

/** Who is connected. */
export interface Connections {
  readonly size: number;
  /** Which bound one more connection of a user would exceed, if any. */
  findReachedLimit(userId: string): 'user' | 'server' | undefined;
  add(connection: LiveSocket): void;
  remove(connection: LiveSocket): void;
  /** A list that does not change while it is walked through. */
  listByUser(userId: string): readonly LiveSocket[];
  /** By the public id of the session. */
  listBySession(sessionId: string): readonly LiveSocket[];
  all(): readonly LiveSocket[];
}

const NONE: readonly LiveSocket[] = [];

/** Starts with nobody connected. */
export function createConnections(
  limits: Pick<LiveLimits, 'maxConnections' | 'maxConnectionsPerUser'>,
): Connections {
  const connections = new Set<LiveSocket>();
  // Most have one connection: an array that is replaced is smaller than a set, and safe to walk.
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

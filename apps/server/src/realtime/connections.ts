import type { LiveConnection } from './live-connection.ts';
import type { LiveLimits } from './live-limits.ts';

/** Who is connected. */
export interface Connections {
  readonly size: number;
  /** Which bound one more connection of a user would exceed, if any. */
  boundReached(userId: string): 'user' | 'server' | undefined;
  add(connection: LiveConnection): void;
  remove(connection: LiveConnection): void;
  /** A list that does not change while it is walked through. */
  ofUser(userId: string): readonly LiveConnection[];
  /** By the public id of the session. */
  ofSession(sessionId: string): readonly LiveConnection[];
  all(): readonly LiveConnection[];
}

const NONE: readonly LiveConnection[] = [];

/** Starts with nobody connected. */
export function createConnections(
  limits: Pick<LiveLimits, 'maxConnections' | 'maxConnectionsPerUser'>,
): Connections {
  const connections = new Set<LiveConnection>();
  // Most have one connection: an array that is replaced is smaller than a set, and safe to walk.
  const byUser = new Map<string, readonly LiveConnection[]>();
  const bySession = new Map<string, readonly LiveConnection[]>();

  return {
    get size() {
      return connections.size;
    },
    boundReached(userId) {
      if (connections.size >= limits.maxConnections) return 'server';
      const own = byUser.get(userId) ?? NONE;
      return own.length >= limits.maxConnectionsPerUser ? 'user' : undefined;
    },
    add(connection) {
      connections.add(connection);
      append(byUser, connection.userId, connection);
      append(bySession, connection.sessionId, connection);
    },
    remove(connection) {
      connections.delete(connection);
      drop(byUser, connection.userId, connection);
      drop(bySession, connection.sessionId, connection);
    },
    ofUser: (userId) => byUser.get(userId) ?? NONE,
    ofSession: (sessionId) => bySession.get(sessionId) ?? NONE,
    all: () => [...connections],
  };
}

type Index = Map<string, readonly LiveConnection[]>;

function append(index: Index, key: string, connection: LiveConnection): void {
  index.set(key, [...(index.get(key) ?? NONE), connection]);
}

function drop(index: Index, key: string, connection: LiveConnection): void {
  const rest = (index.get(key) ?? NONE).filter((other) => other !== connection);
  if (rest.length > 0) index.set(key, rest);
  else index.delete(key);
}

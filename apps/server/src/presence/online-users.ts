import type { DomainEvent } from '../domain-events.ts';

/** The users who are online, at any server on the database. */
export interface OnlineUsers {
  has(userId: string): boolean;
  /** Applies an event about users of any server. */
  apply(event: DomainEvent): void;
  /** Forgets all servers except `own` that do not report their users within the grace. */
  doubtOthers(): void;
  stop(): void;
}

interface OnlineUsersDeps {
  /** Id of this server. */
  readonly own: string;
  /** Milliseconds after which a server that has closed or may have crashed is forgotten. */
  readonly grace: number;
  /** Called with users who went online or offline. */
  readonly onChanged: (userIds: Iterable<string>) => void;
}

/** Creates the view of a server in which no one is online. */
export function createOnlineUsers({ own, grace, onChanged }: OnlineUsersDeps): OnlineUsers {
  const servers = new Map<string, Set<string>>();
  const doubted = new Map<string, ReturnType<typeof setTimeout>>();

  function has(userId: string): boolean {
    for (const users of servers.values()) if (users.has(userId)) return true;
    return false;
  }

  /** Changes the users of a server and reports those for whom it makes a difference. */
  function change(userIds: Iterable<string>, apply: () => void): void {
    const before = new Map(Array.from(userIds, (userId) => [userId, has(userId)]));
    apply();
    const changed = [...before].filter(([userId, wasOnline]) => wasOnline !== has(userId));
    if (changed.length > 0) onChanged(changed.map(([userId]) => userId));
  }

  function trust(server: string): void {
    clearTimeout(doubted.get(server));
    doubted.delete(server);
  }

  function doubt(server: string): void {
    if (server === own || doubted.has(server)) return;
    const forget = (): void => {
      doubted.delete(server);
      change(servers.get(server) ?? [], () => servers.delete(server));
    };
    doubted.set(server, setTimeout(forget, grace));
  }

  function add(server: string, userIds: readonly string[], isComplete: boolean): void {
    const known = servers.get(server) ?? new Set();
    if (isComplete) trust(server);
    const next = isComplete ? new Set(userIds) : known;
    change(isComplete ? new Set([...known, ...userIds]) : userIds, () => {
      for (const userId of userIds) next.add(userId);
      servers.set(server, next);
    });
  }

  return {
    has,
    apply(event) {
      if (event.type === 'users-online') add(event.server, event.userIds, event.isComplete);
      else if (event.type === 'users-offline') {
        const users = servers.get(event.server);
        change(event.userIds, () => event.userIds.forEach((userId) => users?.delete(userId)));
      } else if (event.type === 'server-closing') doubt(event.server);
    },
    doubtOthers() {
      for (const server of servers.keys()) doubt(server);
    },
    stop() {
      for (const timer of doubted.values()) clearTimeout(timer);
    },
  };
}

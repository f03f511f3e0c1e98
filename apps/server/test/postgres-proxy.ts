import { createServer, connect, type Socket } from 'node:net';
import { listenLocally } from './listen-locally.ts';

/** A proxy in front of PostgreSQL that fails on request. */
export interface PostgresProxy {
  /** URL of the database behind the proxy. */
  readonly url: string;
  /** Cuts the next connection that commits a write, after PostgreSQL has committed. */
  loseNextCommitResponse(): void;
  /**
   * Stops forwarding, as a firewall does that forgets its connections: clients are not told. To
   * PostgreSQL, the connections end, as after its keepalives.
   */
  freeze(): void;
  /** Forwards new connections again. Those that were frozen stay silent. */
  thaw(): void;
  /** Loses all notifications, like a pooler in transaction mode. */
  loseNotifications(): void;
  close(): Promise<void>;
}

/** The message of the simple query `commit`: its type, its length and its text. */
const COMMIT = Buffer.from('Q\0\0\0\x0Bcommit\0', 'latin1');
/** Ends of the queries that begin transactions. */
const READ_WRITE = 'read write\0';
const READ_ONLY = 'read only\0';
const NOTIFICATION = 'A'.charCodeAt(0);
/** Length of the type and the length of a message. */
const HEADER = 5;

/** Starts a proxy in front of the database of a URL, without TLS. */
export async function startPostgresProxy(databaseUrl: string): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  /** Connections whose clients are not told that they ended. */
  const silent = new WeakSet<Socket>();
  let isFrozen = false;
  let isLosingCommit = false;
  let isLosingNotifications = false;

  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined);
    client.on('close', () => sockets.delete(client));
    if (isFrozen) return;
    const upstream = connect(Number(target.port), target.hostname);
    upstreams.add(upstream);
    let isWriting = false;
    let isCommitLost = false;
    const removeNotifications = createMessageFilter((type) => type !== NOTIFICATION);
    client.on('data', (chunk: Buffer) => {
      const begun = Math.max(chunk.lastIndexOf(READ_WRITE), chunk.lastIndexOf(READ_ONLY));
      if (begun !== -1) isWriting = chunk.includes(READ_WRITE, begun);
      if (isLosingCommit && isWriting && chunk.includes(COMMIT)) {
        isLosingCommit = false;
        isCommitLost = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (isCommitLost) client.destroy();
      else if (!silent.has(upstream))
        client.write(isLosingNotifications ? removeNotifications(chunk) : chunk);
    });
    upstream.on('error', () => undefined);
    upstream.on('close', () => {
      upstreams.delete(upstream);
      if (!silent.has(upstream)) client.destroy();
    });
    client.on('close', () => upstream.destroy());
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(await listenLocally(server));
  return {
    url: url.href,
    loseNextCommitResponse: () => {
      isLosingCommit = true;
    },
    freeze: () => {
      isFrozen = true;
      for (const upstream of upstreams) {
        silent.add(upstream);
        upstream.destroy();
      }
    },
    thaw: () => {
      isFrozen = false;
    },
    loseNotifications: () => {
      isLosingNotifications = true;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Returns a function that removes messages of other types from a stream. */
function createMessageFilter(isKept: (type: number) => boolean): (chunk: Buffer) => Buffer {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const kept: Buffer[] = [];
    while (rest.length >= HEADER) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) break;
      if (isKept(rest.readUInt8(0))) kept.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return Buffer.concat(kept);
  };
}

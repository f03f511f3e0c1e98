import { once } from 'node:events';
import {
  createServer,
  request as requestUpstream,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { API_VERSION, endpoints } from '@parley/contract';

/** Which requests a newer server refuses, as it does not understand this version of the client. */
export type Refuses = (method: string, path: string) => boolean;

/** A server behind a proxy, in whose place a newer one can be. */
export interface ReplaceableServer {
  readonly url: string;
  /** Methods and paths of the requests that the newer server has refused. */
  readonly refused: string[];
  /** Closes all connections and refuses new ones, as while the server is replaced. */
  readonly stop: () => void;
  /** Is back as a server that supports only a newer client. */
  readonly startNewer: (refuses: Refuses) => void;
  /** Is back as a server that supports this client. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a proxy in front of a server. */
export async function startReplaceableServer(upstreamUrl: string): Promise<ReplaceableServer> {
  const { hostname, port } = new URL(upstreamUrl);
  const sockets = new Set<Socket>();
  const refused: string[] = [];
  let isStopped = false;
  let refuses: Refuses | undefined;

  async function respondAsNewer(path: string, response: ServerResponse): Promise<void> {
    response.setHeader('content-type', 'application/json');
    if (path !== endpoints.getConfig.path) {
      response.statusCode = 400;
      response.end(JSON.stringify({ errorMessage: 'No.', code: 'invalid_request' }));
      return;
    }
    const config: object = await (await fetch(upstreamUrl + path)).json();
    const versions = { apiVersion: API_VERSION + 1, minApiVersion: API_VERSION + 1 };
    response.end(JSON.stringify({ ...config, ...versions }));
  }

  function forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url: path, headers } = request;
    const upstream = requestUpstream({ hostname, port, method, path, headers }, (found) => {
      response.writeHead(found.statusCode ?? 500, found.rawHeaders);
      found.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  }

  const server = createServer((request, response) => {
    const { method = '', url: path = '' } = request;
    const isRefused = refuses?.(method, path) === true;
    if (isRefused) refused.push(`${method} ${path}`);
    if (isRefused || (refuses && path === endpoints.getConfig.path)) {
      request.resume();
      void respondAsNewer(path, response);
    } else forward(request, response);
  });
  server.on('upgrade', ({ method = '', url: path = '', rawHeaders }, client, head) => {
    if (refuses?.(method, path) === true) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(port), hostname, () => {
      const lines = rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
      upstream.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
    client.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
  });
  server.on('connection', (socket) => {
    if (isStopped) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function stop(): void {
    isStopped = true;
    for (const socket of sockets) socket.destroy();
  }

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    refused,
    stop,
    startNewer: (refusesNow) => {
      refuses = refusesNow;
      isStopped = false;
    },
    start: () => {
      refuses = undefined;
      isStopped = false;
    },
    close: async () => {
      stop();
      server.close();
      await once(server, 'close');
    },
  };
}

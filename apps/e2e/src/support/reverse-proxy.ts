import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { isServerPath } from '@parley/contract';

/** A response that replaces that of the server. */
export interface Replacement {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a replacement for the response to a path, or undefined to keep the response. */
export type ChangeResponse = (path: string, body: string) => Replacement | undefined;

/** A reverse proxy that a test can close and that can replace responses. */
export interface ReverseProxy {
  readonly url: string;
  /** The port of the server on this machine. */
  target: number;
  /** Replaces responses. By default, keeps all. */
  change: ChangeResponse;
  /** Closes the port and all connections. */
  readonly close: () => Promise<void>;
  readonly open: () => Promise<void>;
  /** Closes all connections. New ones are accepted. */
  readonly cut: () => void;
  /** Stops forwarding on the open websockets without closing them, as when a network disappears. */
  readonly stall: () => void;
}

/** Starts a reverse proxy. Set its `target` before the first request. */
export async function startReverseProxy(): Promise<ReverseProxy> {
  const sockets = new Set<Socket>();
  /** The two sockets of each websocket. */
  const tunnels = new Set<readonly [client: Duplex, server: Socket]>();
  const reverseProxy = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  reverseProxy.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  reverseProxy.on('upgrade', (request, socket, head) => {
    const target = connect(result.target, '127.0.0.1', () => {
      const lines = request.rawHeaders.map((text, i) =>
        i % 2 === 0 ? `${text}: ` : `${text}\r\n`,
      );
      target.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      target.write(head);
      socket.pipe(target).pipe(socket);
      const tunnel = [socket, target] as const;
      tunnels.add(tunnel);
      socket.on('close', () => tunnels.delete(tunnel));
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
    socket.on('close', () => target.destroy());
  });

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '/', headers } = request;
    const isChangeable = method === 'GET' && (path === '/api/config' || !isServerPath(path));
    // Requests a complete and uncompressed response, so that it can be changed.
    const { 'accept-encoding': _1, 'if-none-match': _2, ...others } = headers;
    const options: RequestOptions = {
      host: '127.0.0.1',
      port: result.target,
      method,
      path,
      headers: isChangeable ? others : headers,
    };
    const serverResponse = await new Promise<IncomingMessage>((resolve, reject) => {
      request.pipe(httpRequest(options, resolve).on('error', reject));
    });
    const body = isChangeable ? await buffer(serverResponse) : undefined;
    const changed = body && result.change(path, body.toString());
    if (changed) {
      const { etag: _3, 'content-length': _4, ...kept } = serverResponse.headers;
      response.writeHead(changed.status, { ...kept, ...changed.headers }).end(changed.body);
      return;
    }
    response.writeHead(serverResponse.statusCode ?? 502, serverResponse.headers);
    if (body) response.end(body);
    else serverResponse.pipe(response);
  }

  let ownPort = 0;
  const open = async (): Promise<void> => {
    reverseProxy.listen(ownPort, 'localhost');
    await once(reverseProxy, 'listening');
    const address = reverseProxy.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    ownPort = address.port;
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await open();
  const result: ReverseProxy = {
    url: `http://localhost:${ownPort}`,
    target: 0,
    change: () => undefined,
    open,
    close: async () => {
      const closed = once(reverseProxy, 'close');
      reverseProxy.close();
      cut();
      await closed;
    },
    cut,
    stall: () => {
      for (const [client, server] of tunnels) {
        client.unpipe(server).pause();
        server.unpipe(client).pause();
      }
    },
  };
  return result;
}

import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { isServerPath } from '@parley/contract';

/** What a front responds with instead of the server's own response. */
export interface Replacement {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Changes the response to a path, or leaves it as it is. */
export type ChangeResponse = (path: string, body: string) => Replacement | undefined;

/** A reverse proxy that a test can take away, and that can serve other files than the server has. */
export interface Front {
  readonly url: string;
  /** The port of the server that it stands for, on this machine. */
  target: number;
  /** How it changes responses from now on. */
  change: ChangeResponse;
  /** Closes the port and all connections. */
  readonly close: () => Promise<void>;
  readonly open: () => Promise<void>;
  /** Breaks all connections; new ones work. */
  readonly cut: () => void;
}

/** Starts a front for the server that `target` will name. */
export async function startFront(): Promise<Front> {
  const sockets = new Set<Socket>();
  const front = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  front.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  front.on('upgrade', (request, socket, head) => {
    const target = connect(result.target, '127.0.0.1', () => {
      const lines = request.rawHeaders.map((text, i) =>
        i % 2 === 0 ? `${text}: ` : `${text}\r\n`,
      );
      target.write(`GET ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
      target.write(head);
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
    socket.on('close', () => target.destroy());
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '/', headers } = request;
    const isChangeable = method === 'GET' && (path === '/api/config' || !isServerPath(path));
    // Whole and not compressed, so that the test can change the response.
    const { 'accept-encoding': _1, 'if-none-match': _2, ...others } = headers;
    const options: RequestOptions = {
      host: '127.0.0.1',
      port: result.target,
      method,
      path,
      headers: isChangeable ? others : headers,
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.pipe(httpRequest(options, resolve).on('error', reject));
    });
    const body = isChangeable ? await buffer(answer) : undefined;
    const changed = body && result.change(path, body.toString());
    if (changed) {
      const { etag: _3, 'content-length': _4, ...kept } = answer.headers;
      response.writeHead(changed.status, { ...kept, ...changed.headers }).end(changed.body);
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (body) response.end(body);
    else answer.pipe(response);
  }

  let ownPort = 0;
  const open = async (): Promise<void> => {
    front.listen(ownPort, 'localhost');
    await once(front, 'listening');
    const address = front.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    ownPort = address.port;
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await open();
  const result: Front = {
    url: `http://localhost:${ownPort}`,
    target: 0,
    change: () => undefined,
    open,
    close: async () => {
      const closed = once(front, 'close');
      front.close();
      cut();
      await closed;
    },
    cut,
  };
  return result;
}

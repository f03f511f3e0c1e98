import { connect, type Socket } from 'node:net';
import type { AttackTarget } from './attack.ts';

/** Opens a TCP connection that ignores errors and is closed with the attack. */
export function openConnection({ host, port, signal }: AttackTarget): Socket {
  const socket = connect(port, host);
  socket.on('error', () => undefined);
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.on('close', () => signal.removeEventListener('abort', end));
  return socket;
}

/** Returns the bytes of a request without its body. */
export function rawRequest(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'POST' | 'PATCH' = 'GET',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\nhost: a\r\n${lines.join('')}\r\n`;
}

/** Returns the bytes of a request whose response may be compressed. */
export function rawRead(path: string): string {
  return rawRequest(path, { 'accept-encoding': 'gzip' });
}

/** Returns the bytes of a request that sends JSON. */
export function rawSend(method: 'POST' | 'PATCH', path: string, body: object): string {
  const json = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(json)),
  };
  return rawRequest(path, headers, method) + json;
}

/** Adds the cookie of an account to a request. */
export function withCookie(request: string, cookie: string): string {
  return request.replace('\r\n', `\r\ncookie: ${cookie}\r\n`);
}

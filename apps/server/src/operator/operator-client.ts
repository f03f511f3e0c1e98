import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { VERSION } from '../version.ts';
import type { Operation } from './operations.ts';
import { OperatorError } from './operator-error.ts';
import {
  BODY_MAX,
  isOperatorErrorResponse,
  isServerInfo,
  PROTOCOL,
  type ServerInfo,
} from './protocol.ts';
import { findSocketPath } from './socket-address.ts';

/**
 * Milliseconds without a byte after which a request fails. A running operation sends heartbeats.
 */
const IDLE_TIMEOUT = 15_000;

const NO_RESPONSE =
  'The server does not respond on its socket. Check its log, and restart it if it hangs.';

/** A server that listens on its socket; `info` is undefined without a valid response. */
export interface ListeningServer {
  readonly path: string;
  readonly info: ServerInfo | undefined;
}

/** No server listens on the socket any more. The operation was not carried out. */
export class NotListeningError extends Error {
  override readonly name = 'NotListeningError';
}

/**
 * Finds the server that accepts commands for a data folder. Returns undefined if none listens.
 * @throws a file system error if this user has no access.
 */
export async function findServer(
  dataDir: string,
  idleTimeout = IDLE_TIMEOUT,
): Promise<ListeningServer | undefined> {
  const path = findSocketPath(dataDir);
  if (path === undefined) return undefined;
  try {
    const { body } = await sendRequest(path, { method: 'GET', path: '/', idleTimeout });
    return { path, info: isServerInfo(body) ? body : undefined };
  } catch (error) {
    if (isAccessError(error)) throw error;
    if (error instanceof NotListeningError) return undefined;
    return { path, info: undefined };
  }
}

/**
 * Runs an operation in a running server.
 * @throws {OperatorError} if it refuses, fails, does not respond or is of another version;
 * {@link NotListeningError} if it stopped listening in the meantime.
 */
export async function callServer<Request extends TSchema, Result extends TSchema>(
  { path, info }: ListeningServer,
  { name, result }: Operation<Request, Result>,
  request: Static<Request>,
  idleTimeout = IDLE_TIMEOUT,
): Promise<Static<Result>> {
  if (info === undefined) throw new OperatorError(NO_RESPONSE);
  if (info.protocol !== PROTOCOL) throw new OperatorError(describeVersionMismatch(info));
  const { status, body } = await post(path, name, request, idleTimeout);
  if (status === 200 && Value.Check(result, body)) return body;
  if (status === 200 || status === 404) throw new OperatorError(describeVersionMismatch(info));
  throw new OperatorError(
    isOperatorErrorResponse(body) ? body.message : `The server replied with ${status}.`,
  );
}

async function post(path: string, name: string, body: unknown, idleTimeout: number) {
  try {
    return await sendRequest(path, {
      method: 'POST',
      path: `/operations/${name}`,
      body,
      idleTimeout,
    });
  } catch (error) {
    if (error instanceof NotListeningError || isAccessError(error)) throw error;
    if (error instanceof IdleTimeoutError && !error.isSent) throw new OperatorError(NO_RESPONSE);
    const outcome = error instanceof IdleTimeoutError ? 'stopped responding' : 'ended';
    throw new OperatorError(
      `The server ${outcome} before it confirmed the command, which may have been carried out. ` +
        'Check, and run it again if it was not.',
      { cause: error },
    );
  }
}

function describeVersionMismatch({ version }: ServerInfo): string {
  return (
    `The running server is Parley ${version} and this command is Parley ${VERSION}, which are ` +
    'incompatible. Use the same version for both; restart the server after an upgrade.'
  );
}

/** The server has sent nothing for too long. */
class IdleTimeoutError extends Error {
  override readonly name = 'IdleTimeoutError';
  /** Whether the server may have received the whole request. */
  readonly isSent: boolean;

  constructor(isSent: boolean) {
    super('no response in time');
    this.isSent = isSent;
  }
}

interface OperatorRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Milliseconds without a byte after which the request fails. */
  readonly idleTimeout: number;
}

/**
 * Sends one request on a new connection and reads the response. The body follows once the
 * server has sent `100 Continue`, so a connection that is closed earlier, such as by a server that
 * is shutting down, has not changed anything.
 */
function sendRequest(
  socketPath: string,
  { method, path, body, idleTimeout }: OperatorRequest,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const payload = Buffer.from(body === undefined ? '' : JSON.stringify(body));
    const headers = {
      host: 'parley',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': payload.length,
        expect: '100-continue',
      }),
    };
    const call = httpRequest({ socketPath, method, path, headers, agent: false });
    let isSent = false;
    const send = () => {
      isSent = true;
      call.end(payload);
    };
    call.on('continue', send);
    // A `102 Processing` response also resets this timeout.
    call.setTimeout(idleTimeout, () => call.destroy(new IdleTimeoutError(isSent)));
    call.on('error', (error) => {
      const isUnsent = method === 'GET' || !isSent;
      const isGone = isUnsent && CLOSED_CODES.has(getErrorCode(error));
      reject(isGone ? new NotListeningError('not listening', { cause: error }) : error);
    });
    call.on('response', (response) => {
      const { statusCode: status = 0 } = response;
      if (status === 503) reject(new NotListeningError('shutting down'));
      readJson(response).then((json) => resolve({ status, body: json }), reject);
    });
    if (body === undefined) send();
  });
}

/** Error codes of a connection to a server that does not listen, or stops listening. */
const CLOSED_CODES = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

async function readJson(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function isAccessError(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(getErrorCode(error));
}

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

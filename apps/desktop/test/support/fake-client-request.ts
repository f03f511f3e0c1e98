import type { ClientRequestConstructorOptions } from 'electron';
import {
  request as sendRequest,
  type ClientRequest as NodeRequest,
  type IncomingMessage,
} from 'node:http';
import { Writable } from 'node:stream';
import type { SessionFetch } from './session-fetch.ts';

/** Bytes that are written at once. */
const PIECE = 64 * 1024;

interface Options extends Omit<ClientRequestConstructorOptions, 'session'> {
  session: { net: SessionFetch };
}

/**
 * A fake of Electron's `ClientRequest` without the chunked encoding: it collects the body and starts the request
 * when it ends, sends no cookies unless told to, and emits only `abort` and `close` when it is aborted. After a
 * redirect that is not followed, it emits an error.
 */
export class FakeClientRequest extends Writable {
  private readonly options: Options;
  private readonly chunks: Buffer[] = [];
  private sending: NodeRequest | undefined;
  private total = 0;
  private current = 0;

  constructor(options: Options) {
    super({ autoDestroy: true });
    if (options.credentials === 'same-origin' && options.origin === undefined) {
      throw new Error('credentials: same-origin requires origin to be set');
    }
    this.options = options;
  }

  override _write(chunk: Buffer, _encoding: string, callback: () => void): void {
    this.chunks.push(chunk);
    callback();
  }

  override _final(callback: () => void): void {
    const { url = '', method, headers, credentials, session } = this.options;
    const body = Buffer.concat(this.chunks);
    const cookie = credentials === 'include' ? session.net.cookie() : '';
    this.sending = sendRequest(url, {
      method,
      headers: { ...headers, 'content-length': body.length, ...(cookie !== '' && { cookie }) },
    });
    this.total = body.length;
    this.sending.on('response', (response) => this.receive(response));
    this.sending.on('error', () => this.destroy(new Error('net::ERR_FAILED')));
    void this.send(this.sending, body);
    callback();
  }

  /** Ends the request at a redirect, except in the mode `follow`, which the fake does not have. */
  private receive(response: IncomingMessage): void {
    const { statusCode = 0, headers } = response;
    const { redirect, url } = this.options;
    if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
      this.emit('response', response);
      return;
    }
    if (redirect !== 'manual') {
      this.destroy(new Error(`Attempted to redirect, but redirect policy was '${redirect}'`));
      return;
    }
    this.emit('redirect', statusCode, 'GET', new URL(headers.location, url).href, headers);
    this.destroy(new Error('Redirect was cancelled'));
  }

  /** Writes one piece after another, to know how much the system has taken. */
  private async send(sending: NodeRequest, body: Buffer): Promise<void> {
    for (let at = 0; at < body.length; at += PIECE) {
      const piece = body.subarray(at, at + PIECE);
      const error = await new Promise((resolve) => void sending.write(piece, resolve));
      if (error) return;
      this.current += piece.length;
    }
    sending.end();
  }

  getUploadProgress() {
    const { current, total } = this;
    const active = current > 0;
    return { active, started: active, current, total: active ? total : 0 };
  }

  abort(): void {
    process.nextTick(() => this.emit('abort'));
    this.destroy();
    this.sending?.removeAllListeners('error').on('error', () => undefined);
    this.sending?.destroy();
  }
}

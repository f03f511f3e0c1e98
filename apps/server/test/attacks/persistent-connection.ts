import type { Socket } from 'node:net';
import type { AttackTarget } from './attack.ts';
import { openConnection } from './raw-connection.ts';

/** A persistent connection, which sends a request at a time and ignores the bodies of responses. */
export class PersistentConnection {
  readonly #target: AttackTarget;
  #socket: Socket | undefined;

  constructor(target: AttackTarget) {
    this.#target = target;
  }

  /** Returns the status of the response, or 0 without one. */
  send(request: string): Promise<number> {
    const socket = this.#connect();
    return new Promise((resolve) => {
      let head = '';
      let bodyLeft: number | undefined;
      const finish = (status: number) => {
        socket.off('data', onData).off('close', onClose);
        resolve(status);
      };
      const onClose = () => finish(0);
      const onData = (data: Buffer) => {
        if (bodyLeft !== undefined) {
          bodyLeft -= data.length;
        } else {
          head += data.toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end === -1) return;
          const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
          bodyLeft = length - (head.length - end - 4);
        }
        if (bodyLeft <= 0) finish(Number(head.slice(9, 12)));
      };
      socket.on('data', onData).on('close', onClose);
      socket.write(request);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #connect(): Socket {
    if (this.#socket === undefined || this.#socket.destroyed) {
      this.#socket = openConnection(this.#target).setMaxListeners(0);
    }
    return this.#socket;
  }
}

/** Sends a request over each connection at the same moment. Returns the statuses of the responses. */
export function sendTogether(
  connections: readonly PersistentConnection[],
  requests: readonly string[],
): Promise<number[]> {
  return Promise.all(connections.map((connection, i) => connection.send(requests[i] ?? '')));
}

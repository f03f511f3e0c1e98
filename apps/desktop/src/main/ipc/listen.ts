import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import { log } from '../log/log.ts';
import { parsePayload, type Payload, type PayloadName } from './payloads.ts';
import { isTrustedSender } from './sender.ts';

/** Channels of one page: Electron's `webContents.ipc` receives messages of that page only. */
type PageIpc = Pick<WebContents['ipc'], 'handle' | 'on'>;

/** Receives a page's messages. Refuses those of other frames and origins, and invalid arguments. */
export interface PageListener {
  /** Responds to a request with the handler's result. A request that is refused rejects. */
  handle: <N extends PayloadName>(
    channel: string,
    payload: N,
    handler: (...args: Payload<N>) => unknown,
  ) => void;
  /** Receives a message without a response. A message that is refused is ignored. */
  on: <N extends PayloadName>(
    channel: string,
    payload: N,
    handler: (...args: Payload<N>) => void,
  ) => void;
  /** Responds to a synchronous request without arguments: with null if it is refused or fails. */
  handleSync: (channel: string, handler: () => unknown) => void;
}

/** Listens to a page of `origin` on its channels. */
export function listenTo(ipc: PageIpc, origin: string): PageListener {
  function check<N extends PayloadName>(
    event: IpcMainEvent | IpcMainInvokeEvent,
    channel: string,
    payload: N,
    args: unknown[],
  ): Payload<N> | undefined {
    if (!isTrustedSender(event, origin)) {
      log.warn('ipc-refused', { channel, because: 'sender', hasFrame: event.senderFrame !== null });
      return undefined;
    }
    try {
      return parsePayload(payload, args);
    } catch {
      log.warn('ipc-refused', { channel, because: 'payload' });
      return undefined;
    }
  }

  return {
    handle: (channel, payload, handler) => {
      ipc.handle(channel, (event, ...args: unknown[]) => {
        const checked = check(event, channel, payload, args);
        if (checked === undefined) throw new Error('refused');
        return handler(...checked);
      });
    },
    on: (channel, payload, handler) => {
      ipc.on(channel, (event, ...args: unknown[]) => {
        const checked = check(event, channel, payload, args);
        if (checked !== undefined) handler(...checked);
      });
    },
    handleSync: (channel, handler) => {
      ipc.on(channel, (event, ...args: unknown[]) => {
        const checked = check(event, channel, 'nothing', args);
        // The page is blocked until it gets a response, and takes only one.
        event.returnValue = checked === undefined ? null : tryTo(handler, channel);
      });
    },
  };
}

function tryTo(handler: () => unknown, channel: string): unknown {
  try {
    return handler();
  } catch (error) {
    log.error('ipc-failed', error, { channel });
    return null;
  }
}

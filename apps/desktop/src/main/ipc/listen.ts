import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import { log } from '../log/log.ts';
import { parsePayload, type Payload, type PayloadName } from './payloads.ts';
import { isTrustedSender } from './sender.ts';

/** The channels of one page, as Electron's `webContents.ipc` receives only messages of that page. */
type PageIpc = Pick<WebContents['ipc'], 'handle' | 'on'>;

/** Receives a page's messages. Refuses messages of other frames and origins and those with invalid arguments. */
export interface PageListener {
  /** Responds to requests with the handler's result. A refused request rejects. */
  handle: <N extends PayloadName>(
    channel: string,
    payload: N,
    handler: (...args: Payload<N>) => unknown,
  ) => void;
  /** Handles messages without a response. Refused messages are ignored. */
  on: <N extends PayloadName>(
    channel: string,
    payload: N,
    handler: (...args: Payload<N>) => void,
  ) => void;
  /** Responds to synchronous requests without arguments. The response is null if the request is refused or fails. */
  handleSync: (channel: string, handler: () => unknown) => void;
}

/** Creates a listener for a page of `origin`. */
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
        // The page is blocked until it gets a response, and accepts only one.
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

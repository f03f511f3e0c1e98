import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
import { log } from '../log/log.ts';
import { parsePayload, type Payload, type PayloadName } from './payloads.ts';
import { isTrustedSender } from './sender.ts';

/** Channels of one page. Electron's `webContents.ipc` hears that page only. */
type PageIpc = Pick<WebContents['ipc'], 'handle' | 'on'>;

/** Hears a page's messages: from its main frame, of its origin, with arguments that fit, or not at all. */
export interface PageListener {
  /** A question, answered by the promise's value. Rejects for a message that does not fit. */
  answer: <N extends PayloadName>(
    channel: string,
    payload: N,
    handler: (...args: Payload<N>) => unknown,
  ) => void;
  /** A message without an answer; one that does not fit is dropped. */
  hear: <N extends PayloadName>(
    channel: string,
    payload: N,
    handler: (...args: Payload<N>) => void,
  ) => void;
  /** A synchronous question without arguments; null for a sender that is not trusted. */
  answerSync: (channel: string, handler: () => unknown) => void;
}

/** Listens to the page of `origin` whose channels these are. */
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
    answer: (channel, payload, handler) => {
      ipc.handle(channel, (event, ...args: unknown[]) => {
        const checked = check(event, channel, payload, args);
        if (checked === undefined) throw new Error('refused');
        return handler(...checked);
      });
    },
    hear: (channel, payload, handler) => {
      ipc.on(channel, (event, ...args: unknown[]) => {
        const checked = check(event, channel, payload, args);
        if (checked !== undefined) handler(...checked);
      });
    },
    answerSync: (channel, handler) => {
      ipc.on(channel, (event, ...args: unknown[]) => {
        const checked = check(event, channel, 'nothing', args);
        event.returnValue = checked === undefined ? null : handler();
      });
    },
  };
}

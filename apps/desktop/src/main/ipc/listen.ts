import type { IpcMainEvent, IpcMainInvokeEvent, WebContents } from 'electron';
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
  /** A synchronous question without arguments. */
  answerSync: (channel: string, handler: () => unknown) => void;
}

/** Listens to the page of `origin` whose channels these are. */
export function listenTo(ipc: PageIpc, origin: string): PageListener {
  function check<N extends PayloadName>(
    event: IpcMainEvent | IpcMainInvokeEvent,
    payload: N,
    args: unknown[],
  ): Payload<N> | undefined {
    if (!isTrustedSender(event, origin)) return undefined;
    try {
      return parsePayload(payload, args);
    } catch {
      return undefined;
    }
  }

  return {
    answer: (channel, payload, handler) => {
      ipc.handle(channel, (event, ...args: unknown[]) => {
        const checked = check(event, payload, args);
        if (checked === undefined) throw new Error('refused');
        return handler(...checked);
      });
    },
    hear: (channel, payload, handler) => {
      ipc.on(channel, (event, ...args: unknown[]) => {
        const checked = check(event, payload, args);
        if (checked !== undefined) handler(...checked);
      });
    },
    answerSync: (channel, handler) => {
      ipc.on(channel, (event, ...args: unknown[]) => {
        event.returnValue = check(event, 'nothing', args) === undefined ? null : handler();
      });
    },
  };
}

import type { DesktopEvent } from '@parley/contract';

/** Events for a page. They are queued while the page is loading. */
export interface PageEvents {
  send: (event: DesktopEvent) => void;
  /** Delivers queued events: the page listens from now on. */
  ready: () => void;
  /** Queues events again: the page is gone or being replaced. */
  gone: () => void;
}

/** Older events are discarded. No user causes that many while a page loads. */
const MAX_WAITING = 50;

/** Creates the queue for a page that does not listen yet. */
export function createPageEvents(deliver: (event: DesktopEvent) => void): PageEvents {
  let waiting: DesktopEvent[] = [];
  let isReady = false;
  return {
    send: (event) => {
      if (isReady) deliver(event);
      else waiting = [...waiting, event].slice(-MAX_WAITING);
    },
    ready: () => {
      isReady = true;
      const due = waiting;
      waiting = [];
      for (const event of due) deliver(event);
    },
    gone: () => {
      isReady = false;
    },
  };
}

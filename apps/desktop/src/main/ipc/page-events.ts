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
const MAX_QUEUED = 50;

/** Creates the queue for a page that does not listen yet. */
export function createPageEvents(deliver: (event: DesktopEvent) => void): PageEvents {
  let queue: DesktopEvent[] = [];
  let isReady = false;
  return {
    send: (event) => {
      if (isReady) deliver(event);
      else queue = [...queue, event].slice(-MAX_QUEUED);
    },
    ready: () => {
      isReady = true;
      const queued = queue;
      queue = [];
      for (const event of queued) deliver(event);
    },
    gone: () => {
      isReady = false;
    },
  };
}

import type { DesktopEvent } from '@parley/contract';

/** Sends events to a page and queues them while it loads. */
export interface PageEvents {
  send: (event: DesktopEvent) => void;
  /** Delivers the queued events to the page, which now listens, and later events immediately. */
  startDelivery: () => void;
  /** Queues events again until the next page is ready. */
  pauseDelivery: () => void;
}

/** Maximum number of queued events; older ones are discarded. No user causes that many while a page loads. */
const MAX_QUEUED = 50;

/** Creates the queue of a page that does not listen yet. */
export function createPageEvents(deliver: (event: DesktopEvent) => void): PageEvents {
  let queue: DesktopEvent[] = [];
  let isReady = false;
  return {
    send: (event) => {
      if (isReady) deliver(event);
      else queue = [...queue, event].slice(-MAX_QUEUED);
    },
    startDelivery: () => {
      isReady = true;
      const queued = queue;
      queue = [];
      for (const event of queued) deliver(event);
    },
    pauseDelivery: () => {
      isReady = false;
    },
  };
}

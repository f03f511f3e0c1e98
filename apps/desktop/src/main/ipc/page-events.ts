import type { DesktopEvent } from '@parley/contract';

/** Events for a page that may not listen yet: it was just loaded, or is being loaded again. */
export interface PageEvents {
  send: (event: DesktopEvent) => void;
  /** The page listens from now on; gets what waited. */
  ready: () => void;
  /** The page is gone or being replaced. */
  gone: () => void;
}

/** More than a person does while a page loads; older ones give way. */
const MAX_WAITING = 50;

/** Nobody listens yet: what is sent waits. */
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

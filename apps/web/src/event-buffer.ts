/** A buffer that passes events to a listener. Without one, it keeps them in order for the next listener. */
export interface EventBuffer<Event extends unknown[]> {
  push: (...event: Event) => void;
  /**
   * Passes the kept events and all following ones to a listener, which replaces the previous one.
   * Returns a function that removes the listener.
   */
  listen: (listener: (...event: Event) => void) => () => void;
}

/** Creates an empty buffer without a listener. */
export function createEventBuffer<Event extends unknown[]>(): EventBuffer<Event> {
  let pending: Event[] = [];
  let current: ((...event: Event) => void) | undefined;
  return {
    push: (...event) => {
      if (current) current(...event);
      else pending.push(event);
    },
    listen: (listener) => {
      current = listener;
      const kept = pending;
      pending = [];
      for (const event of kept) listener(...event);
      return () => {
        if (current === listener) current = undefined;
      };
    },
  };
}

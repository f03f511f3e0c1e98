/** What arrives before somebody listens waits for them, in order. */
export interface Mailbox<Letter extends unknown[]> {
  put: (...letter: Letter) => void;
  /** Takes over what waits and what comes, until the returned function is called. One listener at a time. */
  listen: (listener: (...letter: Letter) => void) => () => void;
}

/** Empty, with nobody listening. */
export function createMailbox<Letter extends unknown[]>(): Mailbox<Letter> {
  let waiting: Letter[] = [];
  let current: ((...letter: Letter) => void) | undefined;
  return {
    put: (...letter) => {
      if (current) current(...letter);
      else waiting.push(letter);
    },
    listen: (listener) => {
      current = listener;
      const due = waiting;
      waiting = [];
      for (const letter of due) listener(...letter);
      return () => {
        if (current === listener) current = undefined;
      };
    },
  };
}

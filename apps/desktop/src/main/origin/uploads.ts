/** Progress and cancellation of one upload. */
export interface Following {
  /** Aborted when the page cancels the upload. */
  signal: AbortSignal;
  /** Reports the sent share, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** The uploads of a page that are being sent. */
export interface Uploads {
  /** Sends an upload with the id that the page has chosen. */
  run: (id: string, send: (following: Following) => Promise<Response>) => Promise<Response>;
  /** Cancels an upload if it is still being sent. */
  cancel: (id: string) => void;
  /** Cancels all uploads, as the page is gone. */
  cancelAll: () => void;
}

/** Creates the uploads of a page. Calls `onProgress` whenever more of an upload was sent. */
export function createUploads(onProgress: (id: string, share: number) => void): Uploads {
  const running = new Map<string, AbortController>();
  return {
    run: async (id, send) => {
      const canceling = new AbortController();
      const { signal } = canceling;
      running.set(id, canceling);
      let sent = 0;
      const report = (share: number): void => {
        if (share <= sent || signal.aborted) return;
        sent = share;
        onProgress(id, share);
      };
      try {
        return await send({ signal, onProgress: report });
      } finally {
        if (running.get(id) === canceling) running.delete(id);
      }
    },
    cancel: (id) => running.get(id)?.abort(),
    cancelAll: () => {
      for (const canceling of running.values()) canceling.abort();
    },
  };
}

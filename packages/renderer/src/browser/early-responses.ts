declare global {
  interface Window {
    /** Responses by URL that the page has requested before the app loaded. */
    readonly earlyResponses?: Map<string, Promise<Response>>;
  }
}

/**
 * Returns a function like `fetch` that takes early responses instead of sending their requests again. They belong to
 * the start of the app: any other request, such as a login, discards those that are left.
 */
export function createEarlyFetch(early: Map<string, Promise<Response>> = new Map()): typeof fetch {
  return async (input, init) => {
    const { method, url, signal } = input instanceof Request ? input : new Request(input, init);
    const response = method === 'GET' ? early.get(url) : undefined;
    if (!response) {
      early.clear();
      return fetch(input, init);
    }
    early.delete(url);
    await response;
    signal.throwIfAborted();
    return response;
  };
}

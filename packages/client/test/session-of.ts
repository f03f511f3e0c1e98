import type { CookieFetch } from '../src/index.ts';

/** Returns what a client sends requests and handshakes with as a user of a test server. */
export function sessionOf({ cookie }: { readonly cookie: string }): CookieFetch {
  return {
    fetch: (input, init) => {
      const request = new Request(input, init);
      request.headers.set('cookie', cookie);
      return fetch(request);
    },
    headers: () => ({ cookie }),
  };
}

/** A `fetch` with a cookie jar, as a session of Electron has. */
export interface SessionFetch {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The `Cookie` header that the live connection sends. */
  cookie: () => string;
  clear: () => void;
}

/** Creates a fake of `session.fetch`, which stores cookies by name and rejects with Chromium's error names. */
export function createSessionFetch(): SessionFetch {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    cookie,
    clear: () => jar.clear(),
    fetch: async (url, init) => {
      const headers = new Headers(init.headers);
      if (init.credentials !== 'omit' && jar.size > 0) headers.set('cookie', cookie());
      const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
        throw new Error(toChromiumError(error), { cause: error });
      });
      for (const set of response.headers.getSetCookie()) {
        const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? [];
        if (/expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    },
  };
}

function toChromiumError(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  // Electron's own message, for the mode `error`.
  if (cause instanceof Error && cause.message === 'unexpected redirect') {
    return "Attempted to redirect, but redirect policy was 'error'";
  }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'net::ERR_NAME_NOT_RESOLVED';
  if (code === 'ECONNREFUSED') return 'net::ERR_CONNECTION_REFUSED';
  return 'net::ERR_FAILED';
}

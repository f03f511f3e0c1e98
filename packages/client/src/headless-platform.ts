import { ApiError, createUnreadableError, parseErrorResponse } from './api/client.ts';
import { isUploadResponse } from './api/response-checks.ts';
import { UPLOAD_ENDPOINTS } from './outbox/outbox-entry.ts';
import type { Platform, TabLocks, TextStorage, UploadMedia } from './platform.ts';
import { createMemoryStorageArea } from './storage/memory-storage.ts';

/**
 * Creates a platform without a browser: one "tab", in-memory storage, always online.
 * @param session provides the session cookie for uploads and the live connection
 */
export function createHeadlessPlatform(
  session: CookieFetch = createCookieFetch(),
  overrides: Partial<Platform> = {},
): Platform {
  const area = createMemoryStorageArea();
  return {
    storage: createMemoryStorage(),
    openStorage: async () => area.open(),
    locks: createMemoryLocks(),
    openChannel: () => ({ post: () => undefined, close: () => undefined }),
    isFocused: () => false,
    watchFocus: () => () => undefined,
    canPlaySounds: () => true,
    onHidden: () => () => undefined,
    watchUse: (listener) => {
      listener(true);
      return () => undefined;
    },
    isOnline: () => true,
    onNetworkChange: () => () => undefined,
    upload: createFetchUpload(session.fetch),
    socketHeaders: session.headers,
    createPreviewUrl: () => '',
    revokePreviewUrl: () => undefined,
    logFailure: () => undefined,
    ...overrides,
  };
}

/** Creates in-memory storage. Clients that share it act as tabs of one browser. */
export function createMemoryStorage(): TextStorage {
  const values = new Map<string, string>();
  const listeners = new Set<(key: string) => void>();
  // As in a browser, the other tabs are notified asynchronously.
  const notify = (key: string): void =>
    queueMicrotask(() => listeners.forEach((listener) => listener(key)));
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value);
      notify(key);
    },
    removeItem: (key) => {
      values.delete(key);
      notify(key);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Creates locks for the clients of one process. */
export function createMemoryLocks(): TabLocks {
  const running = new Map<string, Promise<unknown>>();
  const claimed = new Set<string>();
  return {
    run: (name, task) => {
      const before = running.get(name) ?? Promise.resolve();
      const current = before.catch(() => undefined).then(task);
      running.set(name, current);
      return current;
    },
    claim: async (name, holdMs) => {
      if (claimed.has(name)) return false;
      claimed.add(name);
      setTimeout(() => claimed.delete(name), holdMs);
      return true;
    },
  };
}

function createFetchUpload(send: typeof fetch): UploadMedia {
  return async (api, kind, file, fileName, { peaks, signal } = {}) => {
    api.checkUser();
    const form = new FormData();
    // The server accepts fields only before the file.
    if (peaks) form.append('peaks', JSON.stringify(peaks));
    form.append(kind, file, fileName);
    const { method, path } = UPLOAD_ENDPOINTS[kind];
    const url = api.origin + path;
    const response = await send(url, { method, body: form, signal: signal ?? null }).catch(
      (error: unknown) => {
        signal?.throwIfAborted();
        throw new ApiError('offline', 0, String(error));
      },
    );
    const body: unknown = await response.json().catch(() => undefined);
    if (!response.ok) {
      throw parseErrorResponse(response.status, body, response.headers.get('retry-after'));
    }
    if (!isUploadResponse(body)) throw createUnreadableError('The response has no data');
    return body;
  };
}

/** A `fetch` with a cookie jar, and the headers for a live connection with the same cookies. */
export interface CookieFetch {
  fetch: typeof fetch;
  headers: () => Readonly<Record<string, string>>;
}

/** Creates a `fetch` for one signed-in session outside a browser. */
export function createCookieFetch(): CookieFetch {
  const cookies = new Map<string, string>();
  const headers = (): Record<string, string> => {
    const cookie = Array.from(cookies, (each) => each.join('=')).join('; ');
    return cookie === '' ? {} : { cookie };
  };
  return {
    headers,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      for (const [name, value] of Object.entries(headers())) request.headers.set(name, value);
      const response = await fetch(request);
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
  };
}

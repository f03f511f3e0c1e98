/** An upload that is shown, played or about to be. */
export interface MediaState {
  readonly state: 'loading' | 'ready' | 'failed';
  /** The object URL for elements. Set once the file is loaded. */
  readonly src?: string;
  /** The object URL of the first frame of an animation that is only played on demand. */
  readonly stillSrc?: string;
  /** Why it could not be loaded. */
  readonly error?: unknown;
}

/** Resolves to the first frame of an animation that is only played on demand, and to undefined for any other file. */
type GetStill = (file: Blob) => Promise<Blob | undefined>;

/** How an image is loaded. */
export interface ImageSource {
  readonly getStill: GetStill;
  /** Where this server has an image of another host, which may not allow scripts to read it. */
  readonly ownUrl?: string | undefined;
  /** The image itself if this device has sent it, which is not loaded then. */
  readonly file?: Blob | undefined;
}

/**
 * The uploads that the page has shown, in memory. The server forbids browsers to store them, so that they cannot be
 * read after a logout. What is in use is never discarded.
 */
export interface MediaMemory {
  /** Returns a file that is in memory or being loaded. The same state is the same object. */
  find: (url: string) => MediaState | undefined;
  /**
   * Loads a file and keeps it until the returned function is called.
   * @param onChange called when the state of the file has changed
   * @param image how it is loaded if it is an image
   */
  hold: (url: string, onChange: () => void, image?: ImageSource) => () => void;
  /** Loads a file again if that has failed. */
  retry: (url: string) => void;
  /** Discards all files, as the session has ended. */
  close: () => void;
}

interface Entry {
  readonly url: string;
  readonly image: ImageSource | undefined;
  file: MediaState;
  /** Bytes in memory. */
  size: number;
  readonly listeners: Set<() => void>;
  readonly loading: AbortController;
}

/** Bytes of files in memory. Only what is in use may exceed it. */
const MEDIA_MEMORY_MAX = 64 * 1024 * 1024;

/** Longest wait before a file is requested again, in milliseconds. */
const WAIT_MAX = 60_000;

const LOADING: MediaState = { state: 'loading' };

/**
 * Returns whether the page loads a file from its URL into memory. Files of another host are left to the browser, as CORS
 * may forbid the page to read them. Only those that may be long animations are loaded from the own server instead.
 */
export function isLoadedIntoMemory(url: string): boolean {
  const { protocol, origin } = new URL(url);
  return protocol !== 'blob:' && origin === location.origin;
}

/** Requests a file, again if the server wants the client to wait, as it limits how many are requested. */
async function request(url: string, signal: AbortSignal): Promise<Response> {
  // Calls of the API go first.
  const response = await fetch(url, { signal, priority: 'low' });
  const wait = Number(response.headers.get('retry-after')) * 1_000;
  if (response.status !== 429 || !(wait > 0)) return response;
  await new Promise((resolve) => setTimeout(resolve, Math.min(wait, WAIT_MAX)));
  return request(url, signal);
}

/** Creates the empty memory of a session. */
export function createMediaMemory(capacity = MEDIA_MEMORY_MAX): MediaMemory {
  /** In the order of their last use. */
  const entries = new Map<string, Entry>();
  /** The other hosts that do not allow scripts to read files. */
  const closedHosts = new Set<string>();
  let isClosed = false;

  /** Requests a file from its host, or from this server if the host does not allow that. */
  async function fetchFile({ url, image, loading }: Entry): Promise<Response> {
    const { signal } = loading;
    const { ownUrl } = image ?? {};
    if (ownUrl === undefined) return request(url, signal);
    const { origin } = new URL(url);
    let isReadable = !closedHosts.has(origin);
    if (isReadable) {
      const response = await request(url, signal).catch(() => undefined);
      if (response?.ok) return response;
      isReadable = response !== undefined;
    }
    const response = await request(ownUrl, signal);
    // Otherwise, there may just be no connection.
    if (!isReadable) closedHosts.add(origin);
    return response;
  }

  /** Resolves to a file; undefined if scripts cannot load it, but an element might. */
  async function fetchBlob(entry: Entry): Promise<Blob | undefined> {
    const response = await fetchFile(entry);
    if (response.ok) return response.blob();
    if (entry.image?.ownUrl === undefined) throw new Error(`HTTP ${response.status}`);
    return undefined;
  }

  async function load(entry: Entry): Promise<void> {
    const { url, image, loading } = entry;
    const { signal } = loading;
    try {
      const blob = image?.file ?? (await fetchBlob(entry));
      if (blob === undefined) {
        // The element can load it, with the cookies of the host.
        if (!signal.aborted) setFile(entry, { state: 'ready', src: url });
        return;
      }
      const still = await image?.getStill(blob);
      if (signal.aborted) return;
      entry.size = blob.size + (still?.size ?? 0);
      const src = URL.createObjectURL(blob);
      const stillSrc = still && { stillSrc: URL.createObjectURL(still) };
      setFile(entry, { state: 'ready', src, ...stillSrc });
      discardExcess();
    } catch (error) {
      if (!signal.aborted) setFile(entry, { state: 'failed', error });
    }
  }

  function setFile(entry: Entry, file: MediaState): void {
    entry.file = file;
    for (const notify of entry.listeners) notify();
  }

  function add(url: string, image: ImageSource | undefined): Entry {
    const entry: Entry = {
      url,
      image,
      file: LOADING,
      size: 0,
      listeners: new Set(),
      loading: new AbortController(),
    };
    entries.set(url, entry);
    if (!isClosed) void load(entry);
    return entry;
  }

  function discard({ url, file, loading }: Entry): void {
    entries.delete(url);
    loading.abort();
    for (const src of [file.src, file.stillSrc]) if (src !== undefined) URL.revokeObjectURL(src);
  }

  /** Discards the files that were not used for longest. */
  function discardExcess(): void {
    let total = 0;
    for (const { size } of entries.values()) total += size;
    for (const entry of entries.values()) {
      if (total <= capacity) return;
      if (entry.listeners.size > 0) continue;
      total -= entry.size;
      discard(entry);
    }
  }

  /** Called when a file is no longer in use, unless something else has begun to use it at the same time. */
  function release(entry: Entry): void {
    if (entry.listeners.size > 0 || entries.get(entry.url) !== entry) return;
    if (entry.file.state !== 'ready') {
      discard(entry);
      return;
    }
    entries.delete(entry.url);
    entries.set(entry.url, entry);
    discardExcess();
  }

  return {
    find: (url) => entries.get(url)?.file,
    hold: (url, onChange, image) => {
      const entry = entries.get(url) ?? add(url, image);
      // The same function may hold a file twice.
      const notify = (): void => onChange();
      entry.listeners.add(notify);
      return () => {
        entry.listeners.delete(notify);
        queueMicrotask(() => release(entry));
      };
    },
    retry: (url) => {
      const failed = entries.get(url);
      if (failed?.file.state !== 'failed' || isClosed) return;
      setFile(failed, LOADING);
      void load(failed);
    },
    close: () => {
      isClosed = true;
      for (const entry of entries.values()) discard(entry);
    },
  };
}

import type { UploadResponse } from '@parley/contract';
import type { ApiClient } from './api/client.ts';
import type { ClientStorage } from './client-storage.ts';

/**
 * Key-value storage for short strings, such as `localStorage`. Any call may throw, as storage can
 * be full or forbidden.
 */
export interface TextStorage {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
  /**
   * Calls `listener` with the key that another tab changed, or null for all keys. Returns an
   * unsubscribe function.
   */
  onChange: (listener: (key: string | null) => void) => () => void;
}

/** Locks shared by all tabs of a browser. */
export interface TabLocks {
  /** Runs `task` while no other tab runs one with the same name. */
  run: <T>(name: string, task: () => Promise<T>) => Promise<T>;
  /**
   * Resolves to whether this tab is the first to claim `name`. The claim is held for `holdMs`, long
   * enough for the other tabs to try as well.
   */
  claim: (name: string, holdMs: number) => Promise<boolean>;
}

/** A channel to the other tabs of a browser. */
export interface TabChannel {
  post: (text: string) => void;
  close: () => void;
}

/** The kinds of files that are uploaded before they are sent. */
export type MediaKind = 'image' | 'audio';

/** Options of an upload. */
export interface UploadOptions {
  /** Called with the uploaded share, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  /** Waveform of a recording, as heights from 0 to 100. */
  peaks?: readonly number[] | undefined;
}

/** Uploads an image or recording. Rejects with an `ApiError`, or with an `AbortError` if it was canceled. */
export type UploadMedia = (
  api: ApiClient,
  kind: MediaKind,
  file: Blob,
  fileName: string,
  options?: UploadOptions,
) => Promise<UploadResponse>;

/** The environment that the client needs. `createHeadlessPlatform` provides one without a browser. */
export interface Platform {
  storage: TextStorage;
  /**
   * Opens the storage that outlives the page. Rejects if there is none. May stay pending while a
   * keyring is locked.
   */
  openStorage: () => Promise<ClientStorage>;
  /** Asks the browser not to evict the storage. Does nothing where the browser would prompt the user. */
  persistStorage?: () => void;
  locks: TabLocks;
  /** Opens the channel with this name. `listener` receives the texts that other tabs post. */
  openChannel: (name: string, listener: (text: string) => void) => TabChannel;
  /** Returns whether the page is visible and has the focus. */
  isFocused: () => boolean;
  /** Calls `listener` when `isFocused` may have changed. Returns an unsubscribe function. */
  watchFocus: (listener: () => void) => () => void;
  /** Returns whether sounds may play. Browsers block them until the first gesture. */
  canPlaySounds: () => boolean;
  /** Calls `listener` when the page is hidden, which may be its end. Returns an unsubscribe function. */
  onHidden: (listener: () => void) => () => void;
  /**
   * Calls `listener` with whether the user is using the app, immediately and whenever that changes.
   * Returns an unsubscribe function.
   */
  watchUse: (listener: (isInUse: boolean) => void) => () => void;
  /** Resolves when there is nothing more important to do. Missing where that is not known. */
  whenIdle?: () => Promise<void>;
  /** Returns whether the device has a network. */
  isOnline: () => boolean;
  /** Calls `listener` when the device goes online or offline. Returns an unsubscribe function. */
  onNetworkChange: (listener: () => void) => () => void;
  upload: UploadMedia;
  /** Creates a URL that shows a file before it is uploaded. */
  createPreviewUrl: (file: Blob) => string;
  revokePreviewUrl: (url: string) => void;
  /** Returns headers for the handshake of the live connection, if no browser sends the cookie. */
  socketHeaders?: () => Readonly<Record<string, string>>;
  /** Logs a failure for a developer or an operator. `what` completes "… failed". */
  logFailure: (what: string, error: unknown) => void;
}

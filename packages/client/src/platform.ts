import type { UploadMedia } from './outbox/file-uploader.ts';
import type { ClientStorage } from './storage/client-storage.ts';

/** Small texts that outlive the session, by key. Any call may throw: storage can be full or forbidden. */
export interface TextStorage {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
  /** Calls back with the key that another tab changed; null means all. Returns how to stop. */
  onChange: (listener: (key: string | null) => void) => () => void;
}

/** Locks that all tabs of one browser share. */
export interface TabLocks {
  /** Runs `task` while no other tab runs one of the same name. */
  run: <T>(name: string, task: () => Promise<T>) => Promise<T>;
  /**
   * Resolves to whether this tab is the first to claim `name`. The claim is held for `holdMs`, long
   * enough for the other tabs to have asked too.
   */
  claim: (name: string, holdMs: number) => Promise<boolean>;
}

/** Texts to and from the other tabs of one browser. */
export interface TabChannel {
  post: (text: string) => void;
  close: () => void;
}

/** What the engine needs from where it runs. `createHeadlessPlatform` has all of it without a browser. */
export interface Platform {
  storage: TextStorage;
  /** Opens the records that outlive the page. Rejects where there are none; may take as long as a keyring stays locked. */
  openStorage: () => Promise<ClientStorage>;
  locks: TabLocks;
  /** Opens the channel of this name; `listener` gets what the other tabs post. */
  openChannel: (name: string, listener: (text: string) => void) => TabChannel;
  /** Whether the user looks at this page: it is in front and has the focus. */
  isFocused: () => boolean;
  /** Whether sounds may play here: browsers wait for the first gesture. */
  canPlaySounds: () => boolean;
  /** Calls back when the page goes out of sight, which may be its end. Returns how to stop. */
  onHidden: (listener: () => void) => () => void;
  /** Whether the device has a network. */
  isOnline: () => boolean;
  /** Calls back when the device gets or loses its network. Returns how to stop. */
  onNetworkChange: (listener: () => void) => () => void;
  upload: UploadMedia;
  /** Makes a URL under which a file can be shown before it is uploaded. */
  createPreviewUrl: (file: Blob) => string;
  revokePreviewUrl: (url: string) => void;
  /** Headers of the live connection's handshake, where no browser sends the cookie. */
  socketHeaders?: () => Readonly<Record<string, string>>;
  /** Reports a failure to a developer or an operator. `what` completes "… failed". */
  logFailure: (what: string, error: unknown) => void;
}

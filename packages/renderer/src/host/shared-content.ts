/** Why a part of what another app shared cannot be sent. */
export type ShareRefusal = 'type' | 'size' | 'empty' | 'unreadable' | 'count' | 'text';

/** Content that another app shared with this one. It waits until the user has chosen a chat. */
export interface SharedContent {
  readonly id: string;
  /** The title, text and link, one below the other. May be empty. */
  readonly text: string;
  readonly images: readonly File[];
  /** What was left out. `name` is the file's, and empty for a text. */
  readonly refused: readonly { readonly name: string; readonly reason: ShareRefusal }[];
  /** The number of further files that were left out. */
  readonly refusedMore: number;
}

/** The content that other apps have shared with this one, on this device. */
export interface SharedContentStore {
  /**
   * Resolves to the ids of the content that waits for the user, newest first. From then on, it is hidden from other
   * users of this device. Deletes what is too old and what waited for another user.
   */
  list: (username: string) => Promise<readonly string[]>;
  /** Resolves to the content, or to undefined if there is none with this id for the user. */
  read: (id: string, username: string) => Promise<SharedContent | undefined>;
  /** Deletes the content. Resolves to false if another page has deleted it before. */
  remove: (id: string) => Promise<boolean>;
  /** Deletes everything. */
  clear: () => Promise<void>;
}

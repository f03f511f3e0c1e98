import { usernameKey, type MediaInfo } from '@parley/contract';
import { hasFields, isNumber, isText } from '../api/responses.ts';
import type { StorageContent } from '../storage/client-storage.ts';

/** What is uploaded before it is sent. */
export type MediaKind = 'image' | 'audio';

/** A chatroom, or a user whose chatroom is created with their first message. */
export type Recipient =
  | { readonly chatroomId: string; readonly partnerName?: undefined }
  | { readonly partnerName: string; readonly chatroomId?: undefined };

/** A picture or a recording that is not uploaded yet. */
export interface OutboxFile {
  readonly kind: MediaKind;
  readonly name: string;
  readonly blob: Blob;
  /** To show or play it before it is uploaded. */
  readonly previewUrl: string;
}

/** A message that the server has not confirmed yet. */
export interface OutboxEntry {
  /** UUID; the server takes a message with the same one only once. Another content has another one. */
  readonly clientId: string;
  readonly to: Recipient;
  /** A text or the URL of an upload; empty while there is a file to upload. */
  readonly content: string;
  readonly file?: OutboxFile | undefined;
  /** Duration and waveform of a recording. */
  readonly media?: MediaInfo | undefined;
  /** When it was written or uploaded, ISO 8601. */
  readonly createdAt: string;
  /** Its place among all entries: those with a lower one go out before it. */
  readonly order: number;
  /**
   * - `draft`: the user decides; a file that was chosen, or what could not be uploaded or could not
   *   create a chatroom
   * - `waiting` for its turn or for the connection
   * - `sending`, or being uploaded, by this tab
   * - `failed`: the server refused the message
   */
  readonly state: 'draft' | 'waiting' | 'sending' | 'failed';
}

/** An entry that is shown among the messages of its chatroom. */
export type MessageEntry = OutboxEntry & { readonly state: Exclude<OutboxEntry['state'], 'draft'> };

/** Returns the messages of a chatroom that wait or were refused; files join them once they are uploaded. */
export function selectUnsentMessages(
  entries: readonly OutboxEntry[],
  chatroomId: string,
): MessageEntry[] {
  return entries.filter(
    (entry): entry is MessageEntry =>
      entry.to.chatroomId === chatroomId && !entry.file && entry.state !== 'draft',
  );
}

/** An entry whose file is not uploaded yet. */
export type FileEntry = OutboxEntry & { readonly file: OutboxFile };

/** Returns a chatroom's files of one kind that are not uploaded yet, in the order in which they go out. */
export function selectUnsentFiles(
  entries: readonly OutboxEntry[],
  kind: MediaKind,
  chatroomId: string,
): FileEntry[] {
  return entries.filter(
    (entry): entry is FileEntry => entry.to.chatroomId === chatroomId && entry.file?.kind === kind,
  );
}

/** Returns the first message to a user that has not created its chatroom yet. */
export function selectFirstMessage(
  entries: readonly OutboxEntry[],
  partnerName: string,
): OutboxEntry | undefined {
  const key = usernameKey(partnerName);
  return entries.find(
    ({ to }) => to.partnerName !== undefined && usernameKey(to.partnerName) === key,
  );
}

/** Whether an entry goes out by itself. */
export function isPending({ state }: Pick<OutboxEntry, 'state'>): boolean {
  return state === 'waiting' || state === 'sending';
}

/** Returns entries in the order in which they go out. */
export function sortEntries(entries: Iterable<OutboxEntry>): readonly OutboxEntry[] {
  return [...entries].toSorted(
    (a, b) => a.order - b.order || (a.clientId < b.clientId ? -1 : Number(a.clientId > b.clientId)),
  );
}

/** Returns what the storage keeps of an entry: what is being sent waits again after a reload. */
export function storedEntry(entry: OutboxEntry): StorageContent {
  const { to, content, createdAt, order, state, media, file } = entry;
  return {
    value: {
      to,
      content,
      createdAt,
      order,
      state: state === 'sending' ? 'waiting' : state,
      ...(media && { media }),
      ...(file && { fileKind: file.kind, fileName: file.name }),
    },
    ...(file && { file: file.blob }),
  };
}

/** Returns the entry that the storage has, or undefined for anything else. */
export function parseEntry(
  clientId: string,
  { value, file: blob }: StorageContent,
  previewUrl: string,
): OutboxEntry | undefined {
  if (!isStoredEntry(value)) return undefined;
  const { to, content, media, createdAt, order, state, fileKind, fileName } = value;
  const hasFile = fileKind !== undefined && fileName !== undefined;
  if (hasFile !== (blob !== undefined)) return undefined;
  return {
    clientId,
    to,
    content,
    createdAt,
    order,
    state,
    ...(media && { media }),
    ...(hasFile &&
      blob && {
        file: { kind: fileKind, name: fileName, blob, previewUrl },
      }),
  };
}

interface StoredEntry extends Omit<OutboxEntry, 'clientId' | 'file'> {
  readonly fileKind?: MediaKind;
  readonly fileName?: string;
}

function isStoredEntry(value: unknown): value is StoredEntry {
  return hasFields(value, {
    to: (to) => hasFields(to, { chatroomId: isText }) || hasFields(to, { partnerName: isText }),
    content: isText,
    createdAt: isText,
    order: isNumber,
    state: (state) => state === 'draft' || state === 'waiting' || state === 'failed',
    media: (media) => media === undefined || hasFields(media, {}),
    fileKind: (kind) => kind === undefined || kind === 'image' || kind === 'audio',
    fileName: (name) => name === undefined || isText(name),
  });
}

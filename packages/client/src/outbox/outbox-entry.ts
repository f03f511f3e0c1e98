import { endpoints, usernameKey, type MediaInfo } from '@parley/contract';
import {
  hasFields,
  isNumber,
  isOptionalBoolean,
  isText,
  type FieldCheck,
} from '../api/responses.ts';
import type { StorageContent } from '../client-storage.ts';
import type { MediaKind } from '../platform.ts';
import { isQuoteReference, type QuoteReference } from '../stores/quotes.ts';

/** The endpoints that files are uploaded to. */
export const UPLOAD_ENDPOINTS = {
  image: endpoints.uploadImage,
  audio: endpoints.uploadAudio,
} as const satisfies Record<MediaKind, object>;

/** Returns whether a kind of messages is one of files that this version can send. */
export function isMediaKind(kind: unknown): kind is MediaKind {
  return typeof kind === 'string' && Object.hasOwn(UPLOAD_ENDPOINTS, kind);
}

/** The recipient: a chatroom, or a user whose chatroom is created with the first message. */
export type Recipient =
  | { readonly chatroomId: string; readonly partnerName?: undefined }
  | { readonly partnerName: string; readonly chatroomId?: undefined };

/** An image or recording with its bytes. */
export interface MediaFile {
  readonly kind: MediaKind;
  readonly name: string;
  readonly blob: Blob;
}

/** An image or recording that is not uploaded yet. */
export interface OutboxFile extends MediaFile {
  /** URL to show or play the file before it is uploaded. */
  readonly previewUrl: string;
}

/** The message whose image or recording an entry forwards. */
export interface ForwardSource {
  readonly messageId: string;
  readonly kind: MediaKind;
  /** URL of the original, to show it. */
  readonly url: string;
}

/** A message that the server has not confirmed. */
export interface OutboxEntry {
  /**
   * A UUID. The server stores only one message with the same id, so changed content gets a new id.
   */
  readonly clientId: string;
  readonly to: Recipient;
  /** A text, or the URL of an upload. Empty until the file is uploaded or the original is copied. */
  readonly content: string;
  /** Id of the upload behind the URL in `content`. Earlier versions did not store it. */
  readonly uploadId?: string | undefined;
  readonly file?: OutboxFile | undefined;
  /**
   * The file behind the URL in `content`. It is kept until the message is confirmed, because the
   * server deletes uploads that are not sent within 24 hours.
   */
  readonly uploadedFile?: MediaFile | undefined;
  readonly isForwarded?: true | undefined;
  /**
   * The original of a forwarded image or recording, which the server copies just before the message
   * is sent, and again if it has deleted the copy in the meantime.
   */
  readonly source?: ForwardSource | undefined;
  /** Why the message failed, if sending it again would fail as well: its original was deleted. */
  readonly failReason?: 'source_deleted' | undefined;
  /** Whether the server or a proxy has refused the image because of its size. A smaller copy may be accepted. */
  readonly isTooLarge?: true | undefined;
  /** Duration and waveform of a recording, or the size of an image, unless it is not known yet. */
  readonly media?: MediaInfo | undefined;
  /** The message that it replies to. */
  readonly replyTo?: QuoteReference | undefined;
  /** The album that it belongs to: images that are sent in a row, and their caption. */
  readonly albumId?: string | undefined;
  /** When the message was written or uploaded, ISO 8601. */
  readonly createdAt: string;
  /** Position among all entries. Lower ones are sent first. */
  readonly order: number;
  /**
   * - `draft`: not sent before the user confirms it, such as a chosen file or a failed first
   *   message
   * - `waiting`: waits for its turn or for the connection
   * - `sending`: being sent or uploaded by this tab
   * - `failed`: refused by the server
   */
  readonly state: 'draft' | 'waiting' | 'sending' | 'failed';
  /**
   * Why a waiting message is not sent soon: the user has sent too many messages to people who have
   * not accepted them. Not stored.
   */
  readonly waitReason?: 'limit' | undefined;
}

/** An entry shown among the messages of its chatroom. */
export type MessageEntry = OutboxEntry & { readonly state: Exclude<OutboxEntry['state'], 'draft'> };

/**
 * Returns the waiting, sending and failed messages of a chatroom. Images and albums that are being
 * uploaded are last, because the others are sent before them. Recordings are included once they
 * are uploaded.
 */
export function selectUnsentMessages(
  entries: readonly OutboxEntry[],
  chatroomId: string,
): MessageEntry[] {
  const unsent = entries.filter(
    (entry): entry is MessageEntry =>
      entry.to.chatroomId === chatroomId && entry.file?.kind !== 'audio' && entry.state !== 'draft',
  );
  const albums = new Set(unsent.map(({ file, albumId }) => file && albumId));
  const isUploading = ({ file, albumId }: MessageEntry): boolean =>
    file !== undefined || (albumId !== undefined && albums.has(albumId));
  return [...unsent.filter((entry) => !isUploading(entry)), ...unsent.filter(isUploading)];
}

/** An entry with a file that is not uploaded yet. */
export type FileEntry = OutboxEntry & {
  readonly to: { readonly chatroomId: string };
  readonly file: OutboxFile;
};

/** Returns whether an entry has a file that is not uploaded yet. */
export function isFileEntry(entry: OutboxEntry): entry is FileEntry {
  return entry.to.chatroomId !== undefined && entry.file !== undefined;
}

/** Returns the files of one kind that are not uploaded to a chatroom yet, in sending order. */
export function selectUnsentFiles(
  entries: readonly OutboxEntry[],
  kind: MediaKind,
  chatroomId: string,
): FileEntry[] {
  return entries
    .filter(isFileEntry)
    .filter(({ to, file }) => to.chatroomId === chatroomId && file.kind === kind);
}

/** Returns the unsent first message to a user, if any. */
export function selectFirstMessage(
  entries: readonly OutboxEntry[],
  partnerName: string,
): OutboxEntry | undefined {
  const key = usernameKey(partnerName);
  return entries.find(
    ({ to }) => to.partnerName !== undefined && usernameKey(to.partnerName) === key,
  );
}

/** Returns whether an entry is being sent or waits to be sent. */
export function isPending({ state }: Pick<OutboxEntry, 'state'>): boolean {
  return state === 'waiting' || state === 'sending';
}

/** Returns whether the server may receive an entry even if it is discarded. */
export function isInFlight({ state, content }: Pick<OutboxEntry, 'state' | 'content'>): boolean {
  return state === 'sending' && content !== '';
}

/** An entry as it is stored, beside its file. */
interface StoredEntry extends Omit<
  OutboxEntry,
  'clientId' | 'file' | 'uploadedFile' | 'waitReason'
> {
  readonly fileKind?: MediaKind;
  readonly fileName?: string;
  readonly isUploaded?: boolean;
}

/** Returns the content to store for an entry. An entry that is being sent is stored as waiting. */
export function serializeEntry(entry: OutboxEntry): StorageContent {
  const { clientId: _id, file: unsent, uploadedFile, waitReason: _reason, ...kept } = entry;
  const { state, replyTo } = kept;
  const file = unsent ?? uploadedFile;
  const stored: StoredEntry = {
    ...kept,
    state: state === 'sending' ? 'waiting' : state,
    ...(replyTo && { replyTo: { messageId: replyTo.messageId, seq: replyTo.seq } }),
    ...(file && { fileKind: file.kind, fileName: file.name }),
    ...(uploadedFile && { isUploaded: true }),
  };
  return { value: stored, ...(file && { file: file.blob }) };
}

/** Parses a stored entry. Returns undefined for any other content. */
export function parseEntry(
  clientId: string,
  { value, file: blob }: StorageContent,
  previewUrl: string,
): OutboxEntry | undefined {
  if (!isStoredEntry(value)) return undefined;
  const { fileKind: kind, fileName: name, isUploaded, ...kept } = value;
  if (kind === undefined || name === undefined || blob === undefined) {
    return (kind ?? name ?? blob) === undefined ? { ...kept, clientId } : undefined;
  }
  const file = { kind, name, blob };
  return {
    ...kept,
    clientId,
    ...(isUploaded ? { uploadedFile: file } : { file: { ...file, previewUrl } }),
  };
}

const isOptional =
  (isValid: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined || isValid(value);

const isTrue: FieldCheck = (value) => value === true;

function isStoredEntry(value: unknown): value is StoredEntry {
  return hasFields(value, {
    to: (to) => hasFields(to, { chatroomId: isText }) || hasFields(to, { partnerName: isText }),
    content: isText,
    createdAt: isText,
    order: isNumber,
    state: (state) => state === 'draft' || state === 'waiting' || state === 'failed',
    media: isOptional((media) => hasFields(media, {})),
    replyTo: isOptional(isQuoteReference),
    uploadId: isOptional(isText),
    fileKind: isOptional(isMediaKind),
    fileName: isOptional(isText),
    isUploaded: isOptionalBoolean,
    isForwarded: isOptional(isTrue),
    isTooLarge: isOptional(isTrue),
    source: isOptional((source) =>
      hasFields(source, { messageId: isText, kind: isMediaKind, url: isText }),
    ),
    albumId: isOptional(isText),
    failReason: isOptional((reason) => reason === 'source_deleted'),
  });
}

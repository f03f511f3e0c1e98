import type { StorageCollection, StorageContent, StorageRecord } from '@parley/client';

/** A value, or a promise for it if it is computed asynchronously. */
type MaybePromise<T> = T | Promise<T>;

/** A row of an object store. */
export interface StorageRow {
  readonly id: string | ArrayBuffer;
  /** Changes with each write. */
  readonly stamp: string;
}

/**
 * A converter between records and rows. Results that are not promises can be used within the same task, in
 * which a transaction stays open.
 */
export interface RowCodec {
  /** Identifies the encryption key; undefined without encryption. */
  readonly fingerprint: string | undefined;
  /** Whether no result is a promise. */
  readonly isSynchronous: boolean;
  idOf: (collection: StorageCollection, key: string) => MaybePromise<StorageRow['id']>;
  encode: (
    collection: StorageCollection,
    key: string,
    content: StorageContent,
  ) => MaybePromise<StorageRow>;
  /** Returns undefined for a row that cannot be read. */
  decode: (
    collection: StorageCollection,
    row: StorageRow,
  ) => MaybePromise<StorageRecord | undefined>;
}

interface FileBytes {
  readonly bytes: ArrayBuffer;
  readonly type: string;
}

interface PlainRow extends StorageRow {
  readonly id: string;
  readonly value: unknown;
  readonly file?: Blob | FileBytes;
}

/**
 * Creates a codec that stores records without encryption.
 * @param shouldStoreBytes whether files are stored as bytes, which must be read before they can be written. This is
 *   needed in WebKit, which rejects blobs in private windows ("BlobURLs are not yet supported",
 *   https://bugs.webkit.org/show_bug.cgi?id=156347) and sometimes elsewhere ("Error preparing Blob/File data
 *   to be stored in object store"), mostly blobs that were read from the database
 *   (https://github.com/dexie/Dexie.js/issues/1919).
 */
export function createPlainRowCodec(shouldStoreBytes: boolean): RowCodec {
  const nextStamp = createStamps();
  return {
    fingerprint: undefined,
    isSynchronous: !shouldStoreBytes,
    idOf: (_collection, key) => key,
    encode: (_collection, key, { value, file }) => {
      const row: PlainRow = { id: key, stamp: nextStamp(), value };
      if (!file) return row;
      return shouldStoreBytes ? withBytes(row, file) : { ...row, file };
    },
    decode: (_collection, row) => {
      const { id, value, file } = row as PlainRow;
      if (!file) return { key: id, value };
      const blob = file instanceof Blob ? file : new Blob([file.bytes], { type: file.type });
      return { key: id, value, file: blob };
    },
  };
}

async function withBytes(row: PlainRow, file: Blob): Promise<PlainRow> {
  return { ...row, file: { bytes: await file.arrayBuffer(), type: file.type } };
}

interface EncryptedRow extends StorageRow {
  readonly id: ArrayBuffer;
  /** JSON of `EncryptedContent`. */
  readonly sealed: ArrayBuffer;
  readonly file?: ArrayBuffer;
}

interface EncryptedContent {
  readonly key: string;
  readonly value: unknown;
  readonly fileType?: string;
}

/**
 * Creates a codec that encrypts records and files with AES-GCM and replaces their keys with HMACs. The names of
 * the collections and the number and size of records stay visible.
 * @param secret 32 random bytes
 * @throws on pages without HTTPS, where Web Crypto is not available
 */
export async function createEncryptedRowCodec(secret: Uint8Array<ArrayBuffer>): Promise<RowCodec> {
  const subtle = findWebCrypto();
  const nextStamp = createStamps();
  const root = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const derive = (purpose: string, type: AesKeyGenParams | HmacKeyGenParams, uses: KeyUsage[]) => {
    const { buffer: salt } = new Uint8Array();
    const info = encodeText(purpose);
    return subtle.deriveKey({ name: 'HKDF', hash: 'SHA-256', salt, info }, root, type, false, uses);
  };
  const encryptionKey = await derive('records', { name: 'AES-GCM', length: 256 }, [
    'encrypt',
    'decrypt',
  ]);
  const namingKey = await derive('keys', { name: 'HMAC', hash: 'SHA-256', length: 256 }, ['sign']);

  const hashOf = (...parts: string[]): Promise<ArrayBuffer> =>
    subtle.sign('HMAC', namingKey, encodeText(JSON.stringify(parts)));

  // The context is authenticated, so data that was moved to another row cannot be decrypted.
  const encrypt = async (context: ArrayBuffer, data: BufferSource): Promise<ArrayBuffer> => {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const parameters = { name: 'AES-GCM', iv, additionalData: context };
    return new Blob([iv, await subtle.encrypt(parameters, encryptionKey, data)]).arrayBuffer();
  };
  const decrypt = (context: ArrayBuffer, ciphertext: ArrayBuffer): Promise<ArrayBuffer> => {
    const iv = new Uint8Array(ciphertext, 0, IV_BYTES);
    const parameters = { name: 'AES-GCM', iv, additionalData: context };
    return subtle.decrypt(parameters, encryptionKey, new Uint8Array(ciphertext, IV_BYTES));
  };
  const idOf = (collection: StorageCollection, key: string) => hashOf('record', collection, key);
  const fileContext = (collection: StorageCollection, key: string) =>
    hashOf('file', collection, key);

  return {
    fingerprint: new Uint8Array(await hashOf('fingerprint')).join('-'),
    isSynchronous: false,
    idOf,
    encode: async (collection, key, { value, file }) => {
      const content: EncryptedContent = { key, value, ...(file && { fileType: file.type }) };
      const json = encodeText(JSON.stringify(content));
      const stamp = nextStamp();
      const id = await idOf(collection, key);
      const row: EncryptedRow = { id, stamp, sealed: await encrypt(id, json) };
      if (!file) return row;
      const context = await fileContext(collection, key);
      return { ...row, file: await encrypt(context, await file.arrayBuffer()) };
    },
    decode: async (collection, row) => {
      const { id, sealed: ciphertext, file } = row as EncryptedRow;
      try {
        const json = new TextDecoder().decode(await decrypt(id, ciphertext));
        const { key, value, fileType: type } = JSON.parse(json) as EncryptedContent;
        if (!file || type === undefined) return { key, value };
        const bytes = await decrypt(await fileContext(collection, key), file);
        return { key, value, file: new Blob([bytes], { type }) };
      } catch {
        return undefined;
      }
    },
  };
}

const IV_BYTES = 12;

function findWebCrypto(): SubtleCrypto {
  const { subtle }: { subtle?: SubtleCrypto } = crypto;
  if (!subtle) throw new Error('this page has no Web Crypto');
  return subtle;
}

function encodeText(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Returns a generator of stamps that are unique across tabs. */
function createStamps(): () => string {
  const tab = crypto.getRandomValues(new Uint32Array(4)).join('-');
  let count = 0;
  return () => {
    count += 1;
    return `${tab}-${count}`;
  };
}

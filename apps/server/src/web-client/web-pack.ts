import { createHash } from 'node:crypto';

/** A file of the web client, ready to be sent. */
export interface WebFile {
  /** Content type with charset. */
  readonly type: string;
  /** The base of the entity tag; changes with the content. */
  readonly hash: string;
  /** Whether its name changes with its content, so that browsers never need to revalidate it. */
  readonly immutable: boolean;
  readonly identity: Buffer;
  /** Compressed variants, if they are smaller. */
  readonly br: Buffer | undefined;
  readonly gzip: Buffer | undefined;
}

/** Creates an uncompressed file. */
export function plainWebFile(type: string, identity: Buffer, immutable = false): WebFile {
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { type, hash, immutable, identity, br: undefined, gzip: undefined };
}

/** Files by their path in the URL, such as `/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

type Span = [offset: number, length: number];

interface Entry {
  path: string;
  type: string;
  hash: string;
  immutable: boolean;
  identity: Span;
  br?: Span;
  gzip?: Span;
}

// Format: u32 length of the manifest | manifest as JSON | bytes.
const LENGTH_BYTES = 4;

/** Packs files into an archive for {@link readWebPack}. */
export function writeWebPack(files: WebFiles): Buffer {
  const parts: Buffer[] = [];
  let size = 0;
  const add = (bytes: Buffer): Span => {
    parts.push(bytes);
    size += bytes.length;
    return [size - bytes.length, bytes.length];
  };
  const manifest = Array.from(files, ([path, file]): Entry => {
    const { type, hash, immutable } = file;
    return {
      path,
      type,
      hash,
      immutable,
      identity: add(file.identity),
      ...(file.br && { br: add(file.br) }),
      ...(file.gzip && { gzip: add(file.gzip) }),
    };
  });
  const head = Buffer.from(JSON.stringify(manifest));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...parts]);
}

/** Opens an archive created by {@link writeWebPack}. The files are views into it, not copies. */
export function readWebPack(pack: Buffer): WebFiles {
  const start = LENGTH_BYTES + pack.readUInt32LE(0);
  const manifest = JSON.parse(pack.toString('utf8', LENGTH_BYTES, start)) as Entry[];
  const view = ([offset, length]: Span) => pack.subarray(start + offset, start + offset + length);
  return new Map(
    manifest.map(({ path, type, hash, immutable, identity, br, gzip }) => [
      path,
      {
        type,
        hash,
        immutable,
        identity: view(identity),
        br: br && view(br),
        gzip: gzip && view(gzip),
      },
    ]),
  );
}

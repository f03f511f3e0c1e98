import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

/** An element of EBML (RFC 8794). */
interface Element {
  readonly id: number;
  readonly at: number;
  /** Where its content begins. */
  readonly content: number;
  /** Undefined for one that was written before its length was known. */
  readonly end: number | undefined;
}

// RFC 9559.
const EBML = 0x1a45dfa3;
const DOC_TYPE = 0x4282;
/** What is read of it: `webm` and its padding. A file may say that it has thousands of bytes. */
const DOC_TYPE_MAX = 16;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const VOID = 0xec;
const AUDIO = 1 << 1;

/** Tags, Attachments and Chapters: what is known about a recording besides its sound. */
const METADATA = new Set([0x1254c367, 0x1941a469, 0x1043a770]);

/** WebM that holds sound and nothing else. */
export const webm: MediaFormat = {
  kind: 'audio',
  mime: 'audio/webm',
  ending: 'webm',
  matches: (head) => head.length > 4 && head.readUInt32BE(0) === EBML,
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const header = await element(source, 0, source.size);
  if (header.end === undefined || (await docType(source, header, header.end)) !== 'webm') {
    throw new MalformedFile('not WebM');
  }
  const segment = await element(source, header.end, source.size);
  if (segment.id !== SEGMENT) throw new MalformedFile('no segment');
  const limit = Math.min(segment.end ?? source.size, source.size);

  const pieces = new Pieces();
  pieces.keep(0, segment.content);
  let hasTracks = false;
  let hasData = false;
  for (let at = segment.content; at < limit;) {
    const found = await element(source, at, limit);
    const isCluster = found.id === CLUSTER;
    hasData ||= isCluster;
    // Of a live recording the clusters are open: what is in them comes next, as if beside them.
    const end = found.end ?? (isCluster ? found.content : limit);
    if (found.id === TRACKS) {
      await assertOnlySound(source, found.content, end);
      hasTracks = true;
    }
    if (METADATA.has(found.id)) blank(pieces, end - at);
    else pieces.keep(at, end);
    at = end;
  }
  if (!hasTracks || !hasData) throw new MalformedFile('no sound');
  return { pieces };
}

async function docType(source: ByteSource, { content }: Element, end: number): Promise<string> {
  for await (const child of children(source, content, end)) {
    if (child.id === DOC_TYPE) {
      const length = Math.min(child.end - child.content, DOC_TYPE_MAX);
      return text(await source.bytes(child.content, length));
    }
  }
  return '';
}

async function assertOnlySound(source: ByteSource, start: number, end: number): Promise<void> {
  let tracks = 0;
  for await (const entry of children(source, start, end)) {
    if (entry.id !== TRACK_ENTRY) continue;
    tracks += 1;
    let type;
    for await (const child of children(source, entry.content, entry.end)) {
      const length = child.end - child.content;
      if (child.id === TRACK_TYPE && length > 0 && length <= 6) {
        type = (await source.bytes(child.content, length)).readUIntBE(0, length);
      }
    }
    if (type !== AUDIO) throw new MalformedFile('not only sound');
  }
  if (tracks === 0) throw new MalformedFile('no track');
}

async function* children(
  source: ByteSource,
  start: number,
  limit: number,
): AsyncGenerator<Element & { end: number }> {
  for (let at = start; at < limit;) {
    const { end, ...child } = await element(source, at, limit);
    if (end === undefined) throw new MalformedFile('open element');
    yield { ...child, end };
    at = end;
  }
}

async function element(source: ByteSource, at: number, limit: number): Promise<Element> {
  source.step();
  const head = await source.upTo(at, Math.min(12, limit - at));
  const idLength = vintLength(head[0]);
  const sizeLength = vintLength(head[idLength]);
  const content = at + idLength + sizeLength;
  if (idLength > 4 || head.length < idLength + sizeLength) throw new MalformedFile('no element');
  const id = head.readUIntBE(0, idLength);

  let size = (head[idLength] ?? 0) & (0xff >>> sizeLength);
  let isOpen = size === 0xff >>> sizeLength;
  for (const byte of head.subarray(idLength + 1, idLength + sizeLength)) {
    size = size * 256 + byte;
    isOpen &&= byte === 0xff;
  }
  if (isOpen) return { id, at, content, end: undefined };
  // A recording that broke off still has the sound that came before.
  const mayBreakOff = id === SEGMENT || id === CLUSTER;
  const end = mayBreakOff ? Math.min(content + size, limit) : content + size;
  if (end > limit) throw new MalformedFile('ends too early');
  return { id, at, content, end };
}

/** Length in bytes of a number that begins with this byte: leading zero bits, plus one. */
function vintLength(first: number | undefined): number {
  if (first === undefined || first === 0) throw new MalformedFile('no number');
  return Math.clz32(first) - 23;
}

/** An empty element takes the place, as others point to places in the file. */
function blank(pieces: Pieces, length: number): void {
  const header = Buffer.alloc(length < 9 ? 2 : 9);
  header.writeUInt8(VOID, 0);
  if (header.length === 2) header.writeUInt8(0x80 | (length - 2), 1);
  else {
    header.writeUIntBE(length - 9, 3, 6);
    header.writeUInt8(0x01, 1);
  }
  pieces.insert(header);
  pieces.zeros(length - header.length);
}

function text(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\0+$/, '');
}

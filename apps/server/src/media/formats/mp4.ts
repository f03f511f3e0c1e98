import { MalformedFile, type ByteSource } from './byte-source.ts';
import type { Contents, MediaFormat } from './media-format.ts';
import { Pieces } from './pieces.ts';

/** A box of the ISO base media file format (ISO/IEC 14496-12). */
interface Box {
  readonly type: string;
  readonly at: number;
  /** Where its content begins. */
  readonly content: number;
  readonly end: number;
}

/** Boxes with what is known about a recording besides its sound: places, names, devices, pictures. */
const METADATA = new Set(['udta', 'meta', 'uuid']);

/** MP4 that holds sound and nothing else, in one piece or in fragments. */
export const mp4: MediaFormat = {
  kind: 'audio',
  mime: 'audio/mp4',
  ending: 'mp4',
  matches: (head) => head.toString('latin1', 4, 8) === 'ftyp',
  read,
};

async function read(source: ByteSource): Promise<Contents> {
  const pieces = new Pieces();
  let tracks = 0;
  let hasData = false;
  for await (const box of boxes(source, 0, source.size)) {
    hasData ||= box.type === 'mdat';
    if (box.type === 'moov') tracks += await readMovie(source, box, pieces);
    else keepOrBlank(box, pieces);
  }
  if (tracks === 0 || !hasData) throw new MalformedFile('no sound');
  return { pieces };
}

async function readMovie(source: ByteSource, movie: Box, pieces: Pieces): Promise<number> {
  let tracks = 0;
  pieces.keep(movie.at, movie.content);
  for await (const box of boxes(source, movie.content, movie.end)) {
    if (box.type !== 'trak') {
      keepOrBlank(box, pieces);
      continue;
    }
    tracks += 1;
    pieces.keep(box.at, box.content);
    let handler;
    for await (const part of boxes(source, box.content, box.end)) {
      if (part.type === 'mdia') handler = await mediaHandler(source, part);
      keepOrBlank(part, pieces);
    }
    if (handler !== 'soun') throw new MalformedFile('not only sound');
  }
  return tracks;
}

/** What a track holds: `soun`, `vide` or another handler's name. */
async function mediaHandler(source: ByteSource, media: Box): Promise<string | undefined> {
  for await (const box of boxes(source, media.content, media.end)) {
    if (box.type === 'hdlr') return (await source.bytes(box.content + 8, 4)).toString('latin1');
  }
  return undefined;
}

// Left in place as an empty box of the same size, as other boxes point to places in the file.
function keepOrBlank(box: Box, pieces: Pieces): void {
  if (!METADATA.has(box.type)) {
    pieces.keep(box.at, box.end);
    return;
  }
  pieces.keep(box.at, box.at + 4);
  pieces.insert(Buffer.from('free', 'latin1'));
  pieces.keep(box.at + 8, box.content);
  pieces.zeros(box.end - box.content);
}

async function* boxes(source: ByteSource, start: number, limit: number): AsyncGenerator<Box> {
  for (let at = start; at + 8 <= limit;) {
    source.step();
    const head = await source.upTo(at, 16);
    const size = head.readUInt32BE(0);
    const type = head.toString('latin1', 4, 8);
    let content = at + 8;
    let end = at + size;
    if (size === 1) {
      if (head.length < 16) throw new MalformedFile('ends too early');
      content = at + 16;
      end = at + Number(head.readBigUInt64BE(8));
    } else if (size === 0) {
      end = limit;
    }
    // A recording that broke off still has the sound that came before.
    if (end > limit && type === 'mdat') end = limit;
    if (end < content || end > limit) throw new MalformedFile('no box');
    yield { type, at, content, end };
    at = end;
  }
}

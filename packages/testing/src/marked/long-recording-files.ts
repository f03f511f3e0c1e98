import { box, mp4Movie, words } from './markable-mp4.ts';
import { element, uint } from './markable-webm.ts';

/** A packet of 120 ms in one byte, as Opus allows packets without sound. */
const EMPTY_PACKET = Buffer.from('19', 'hex');
const PACKET_MS = 120;
const PACKETS_PER_CLUSTER = 250;
const HOUR_MS = 60 * 60 * 1_000;

/**
 * Creates a recording of many hours in the smallest possible WebM, 250 KiB per hour. Without
 * timestamps, it claims a duration of zero.
 */
export function longWebm(hours: number, { hasTimestamps = true } = {}): Buffer {
  const count = Math.round((hours * HOUR_MS) / PACKET_MS / PACKETS_PER_CLUSTER);
  const step = hasTimestamps ? PACKET_MS : 0;
  const blocks = Buffer.concat(
    Array.from({ length: PACKETS_PER_CLUSTER }, (_, index) => {
      const head = Buffer.from('a38581000080', 'hex');
      head.writeInt16BE(index * step, 3);
      return Buffer.concat([head, EMPTY_PACKET]);
    }),
  );
  const clusters = Array.from({ length: count }, (_, index) =>
    element('1f43b675', uint('e7', index * PACKETS_PER_CLUSTER * step), blocks),
  );
  const head = Buffer.from('4f707573486561640101000080bb0000000000', 'hex');
  const track = element(
    'ae',
    uint('d7', 1),
    uint('83', 2),
    element('86', Buffer.from('A_OPUS')),
    element('63a2', head),
  );
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    element('18538067', element('1654ae6b', track), ...clusters),
  ]);
}

const AAC_BLOCK = 1_024;
const AAC_RATE = 8_000;
/** One channel of silence. */
const AAC_SILENCE = Buffer.from('00c800802380', 'hex');

/** Creates a recording of many hours in AAC, 360 KiB per hour. */
export function longAac(hours: number): Buffer {
  const frame = Buffer.concat([Buffer.from('fff16c4001bffc', 'hex'), AAC_SILENCE]);
  return Buffer.alloc(frame.length * aacBlocks(hours), frame);
}

/** Creates a recording of many hours as AAC in MP4, whose table claims a duration of zero. */
export function longMp4(hours: number): Buffer {
  const count = aacBlocks(hours);
  const packets = Buffer.alloc(AAC_SILENCE.length * count, AAC_SILENCE);
  const type = box('ftyp', Buffer.from('isom'), words(512));
  return Buffer.concat([
    type,
    box('mdat', packets),
    mp4Movie({ rate: AAC_RATE, count, duration: 1, size: AAC_SILENCE.length, at: type.length + 8 }),
  ]);
}

function aacBlocks(hours: number): number {
  return Math.round((hours * 3_600 * AAC_RATE) / AAC_BLOCK);
}

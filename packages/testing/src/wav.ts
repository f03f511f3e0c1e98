const HEAD = 44;
/** Samples a second. */
const RATE = 8_000;

/**
 * A recording in WAV: one channel, two bytes a sample. `sampleAt` gives the loudness at a time in
 * seconds, from -1 to 1; without it, it is silent.
 */
export function makeWav(
  bytes: number,
  sampleAt?: (seconds: number) => number,
): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(bytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  // PCM, one channel.
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(RATE, 24);
  file.writeUInt32LE(RATE * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(bytes - HEAD, 40);
  if (sampleAt === undefined) return file;
  for (let at = HEAD; at < bytes; at += 2) {
    file.writeInt16LE(Math.round(sampleAt((at - HEAD) / 2 / RATE) * 32_767), at);
  }
  return file;
}

/** Bytes of a recording of a length in seconds. */
export function wavBytes(seconds: number): number {
  return HEAD + Math.round(seconds * RATE) * 2;
}

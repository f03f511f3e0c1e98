const HEAD = 44;
/** Samples per second. */
const RATE = 8_000;

/**
 * Creates a WAV recording with one channel and two bytes per sample. `sampleAt` returns the
 * amplitude at a time in seconds, from -1 to 1. Without it, the recording is silent.
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

/** Returns the size of a recording in bytes, given its duration in seconds. */
export function wavBytes(seconds: number): number {
  return HEAD + Math.round(seconds * RATE) * 2;
}

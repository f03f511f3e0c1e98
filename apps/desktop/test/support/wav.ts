/** A silent recording of a given size in bytes. */
export function wav(bytes: number): Buffer<ArrayBuffer> {
  const file = Buffer.alloc(bytes);
  const samples = bytes - 44;
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  // PCM, one channel, 8,000 samples of two bytes a second.
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(16_000, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples, 40);
  return file;
}

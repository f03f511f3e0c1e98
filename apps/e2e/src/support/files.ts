import { crc32, deflateSync } from 'node:zlib';

/** A file as a browser's file chooser takes it. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** A PNG that runs from blue to amber. */
export function picture(width: number, height: number, name = 'picture.png'): ChosenFile {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits a channel, red, green and blue.
  header.set([8, 2], 8);
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0, at = 0; y < height; y++) {
    at += 1;
    for (let x = 0; x < width; x++, at += 3) {
      const share = (x / width + y / height) / 2;
      rows.set([60 + 190 * share, 120 + 60 * share, 230 - 180 * share], at);
    }
  }
  const buffer = Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(content.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** A WAV that swells and fades like speech, so that its waveform is worth looking at. */
export function voice(seconds: number, name = 'voice.wav'): ChosenFile {
  const rate = 8_000;
  const count = Math.round(seconds * rate);
  const buffer = Buffer.alloc(44 + count * 2);
  buffer.write('RIFF', 0, 'latin1');
  buffer.writeUInt32LE(36 + count * 2, 4);
  buffer.write('WAVEfmt ', 8, 'latin1');
  buffer.writeUInt32LE(16, 16);
  // PCM, one channel.
  buffer.writeUInt16LE(1, 20);
  buffer.writeUInt16LE(1, 22);
  buffer.writeUInt32LE(rate, 24);
  buffer.writeUInt32LE(rate * 2, 28);
  buffer.writeUInt16LE(2, 32);
  buffer.writeUInt16LE(16, 34);
  buffer.write('data', 36, 'latin1');
  buffer.writeUInt32LE(count * 2, 40);
  for (let i = 0; i < count; i++) {
    const time = i / rate;
    const syllable = Math.abs(Math.sin(time * 7) * Math.sin(time * 1.7 + 1) * Math.sin(time * 0.6));
    const tone = Math.sin(time * 2 * Math.PI * 180) + Math.sin(time * 2 * Math.PI * 370) / 2;
    buffer.writeInt16LE(Math.round(tone * syllable * 12_000), 44 + i * 2);
  }
  return { name, mimeType: 'audio/wav', buffer };
}

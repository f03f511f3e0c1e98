import { deflateSync } from 'node:zlib';
import { makeWav, pngChunk, wavBytes } from '@parley/testing';

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
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mimeType: 'image/png', buffer };
}

/** A WAV that swells and fades like speech, so that its waveform is worth looking at. */
export function voice(seconds: number, name = 'voice.wav'): ChosenFile {
  const buffer = makeWav(wavBytes(seconds), (time) => {
    const syllable = Math.abs(Math.sin(time * 7) * Math.sin(time * 1.7 + 1) * Math.sin(time * 0.6));
    const tone = Math.sin(time * 2 * Math.PI * 180) + Math.sin(time * 2 * Math.PI * 370) / 2;
    return tone * syllable * 0.37;
  });
  return { name, mimeType: 'audio/wav', buffer };
}

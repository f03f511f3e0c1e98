import { encodePng, makeWav, wavBytes } from '@parley/testing';

/** A file for a file chooser of the browser. */
export interface TestFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Creates a PNG with a gradient from blue to amber. */
export function createPng(width: number, height: number, name = 'picture.png'): TestFile {
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0, at = 0; y < height; y++) {
    at += 1;
    for (let x = 0; x < width; x++, at += 3) {
      const share = (x / width + y / height) / 2;
      rows.set([60 + 190 * share, 120 + 60 * share, 230 - 180 * share], at);
    }
  }
  return { name, mimeType: 'image/png', buffer: encodePng(width, height, 'rgb', rows) };
}

/** Creates a WAV whose volume varies like speech, so that its waveform has different heights. */
export function createWav(seconds: number, name = 'voice.wav'): TestFile {
  const buffer = makeWav(wavBytes(seconds), (time) => {
    const syllable = Math.abs(Math.sin(time * 7) * Math.sin(time * 1.7 + 1) * Math.sin(time * 0.6));
    const tone = Math.sin(time * 2 * Math.PI * 180) + Math.sin(time * 2 * Math.PI * 370) / 2;
    return tone * syllable * 0.37;
  });
  return { name, mimeType: 'audio/wav', buffer };
}

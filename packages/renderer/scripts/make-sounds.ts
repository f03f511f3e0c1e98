// Generates Parley's two sounds: `node scripts/make-sounds.ts`. Each consists of one or two decaying tones,
// written as 16-bit mono WAV, which every browser plays.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const RATE = 22_050;
const OUT = join(import.meta.dirname, '../src/assets');

interface Tone {
  /** Frequency in hertz, at the start if the tone glides. */
  pitch: number;
  /** Final frequency in hertz if the tone glides. */
  endPitch?: number;
  /** Start and length in seconds. */
  start: number;
  length: number;
  /** Amplitude, from 0 to 1. */
  gain: number;
}

function sampleOf(tone: Tone, time: number): number {
  const t = time - tone.start;
  if (t < 0 || t > tone.length) return 0;
  const progress = t / tone.length;
  const glide = ((tone.endPitch ?? tone.pitch) - tone.pitch) / tone.length;
  const phase = 2 * Math.PI * (tone.pitch * t + (glide * t * t) / 2);
  // A soft attack and a decay to zero avoid clicks.
  const envelope = Math.min(1, t / 0.006) * (1 - progress) ** 2.4;
  const waveform = Math.sin(phase) + 0.22 * Math.sin(2 * phase) + 0.06 * Math.sin(3 * phase);
  return tone.gain * envelope * waveform;
}

function wav(tones: Tone[]): Buffer {
  const seconds = Math.max(...tones.map(({ start, length }) => start + length));
  const count = Math.ceil(seconds * RATE);
  const buffer = Buffer.alloc(44 + count * 2);
  buffer.write('RIFF', 0);
  buffer.writeUInt32LE(36 + count * 2, 4);
  buffer.write('WAVEfmt ', 8);
  buffer.writeUInt32LE(16, 16);
  buffer.writeUInt16LE(1, 20);
  buffer.writeUInt16LE(1, 22);
  buffer.writeUInt32LE(RATE, 24);
  buffer.writeUInt32LE(RATE * 2, 28);
  buffer.writeUInt16LE(2, 32);
  buffer.writeUInt16LE(16, 34);
  buffer.write('data', 36);
  buffer.writeUInt32LE(count * 2, 40);
  for (let index = 0; index < count; index += 1) {
    const value = tones.reduce((sum, tone) => sum + sampleOf(tone, index / RATE), 0);
    buffer.writeInt16LE(Math.round(Math.max(-1, Math.min(1, value)) * 32_767), 44 + index * 2);
  }
  return buffer;
}

// Sending: one short rising tone.
writeFileSync(
  join(OUT, 'send.wav'),
  wav([{ pitch: 520, endPitch: 880, start: 0, length: 0.16, gain: 0.34 }]),
);

// Receiving: two bells a fifth apart.
writeFileSync(
  join(OUT, 'receive.wav'),
  wav([
    { pitch: 659.25, start: 0, length: 0.3, gain: 0.3 },
    { pitch: 987.77, start: 0.11, length: 0.42, gain: 0.34 },
  ]),
);

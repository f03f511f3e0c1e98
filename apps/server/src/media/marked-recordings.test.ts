import { MARKABLE_RECORDINGS, MARKER, type MarkableRecording } from '@parley/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectBytes } from '../../test/inspecting.ts';

const NOTHING: ReadonlySet<string> = new Set();
const recordings = Object.entries(MARKABLE_RECORDINGS);

describe.each(recordings)('%s', (_, recording) => {
  test('keeps nothing of what is planted beside its sound, wherever it is', async () => {
    const plain = await inspectBytes(recording.build(NOTHING));
    expect(plain).toMatchObject({
      type: { ending: recording.ending },
      durationMs: recording.durationMs,
    });
    for (const place of recording.places) {
      const found = await inspectBytes(recording.build(new Set([place])));
      expect({ place, bytes: found?.bytes }).toEqual({ place, bytes: plain?.bytes });
    }
  });

  test('keeps nothing of any combination', async () => {
    const plain = await inspectBytes(recording.build(NOTHING));
    await fc.assert(
      fc.asyncProperty(fc.subarray([...recording.places]), async (places) => {
        const found = await inspectBytes(recording.build(new Set(places)));
        expect(found?.durationMs).toBe(recording.durationMs);
        expect(found?.bytes.equals(plain?.bytes ?? Buffer.alloc(0))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('has room for the marker at every place that is named', () => {
    for (const place of recording.places) {
      expect({ place, isMarked: isMarked(recording.build(new Set([place]))) }).toEqual({
        place,
        // The index of an MP3 is a place for the encoder's name.
        isMarked: place !== 'Xing' && place !== 'encoder',
      });
    }
    expect(isMarked(recording.build(NOTHING))).toBe(false);
  });
});

test.each(['MP3', 'AAC'])('a damaged %s keeps nothing but frames, or is refused', async (name) => {
  const recording = MARKABLE_RECORDINGS[name] as MarkableRecording;
  const whole = recording.build(new Set(recording.places));
  const damage = fc.array(fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) }), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(damage, async (cuts) => {
      const bytes = Buffer.from(whole);
      for (const { at, byte } of cuts) bytes[at] = byte;
      const found = await inspectBytes(bytes);
      expect(found === undefined || !isMarked(found.bytes)).toBe(true);
    }),
    { numRuns: 400 },
  );
});

function isMarked(bytes: Buffer): boolean {
  return bytes.includes(MARKER);
}

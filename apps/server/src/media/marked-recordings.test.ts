import { MARKABLE_RECORDINGS, MARKER, type MarkableRecording } from '@parley/testing';
import { casesOf } from '@parley/testing/scope';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectBytes } from '../../test/inspecting.ts';

const NOTHING: ReadonlySet<string> = new Set();
const recordings = Object.entries(MARKABLE_RECORDINGS);

describe.each(recordings)('inspecting a marked recording in %s', (_, recording) => {
  test('removes a marker from every place outside the audio', async () => {
    const plain = await inspectBytes(recording.build(NOTHING));
    expect(plain).toMatchObject({
      type: { extension: recording.extension },
      durationMs: recording.durationMs,
    });
    for (const place of recording.places) {
      const found = await inspectBytes(recording.build(new Set([place])));
      expect({ place, bytes: found?.bytes }).toEqual({ place, bytes: plain?.bytes });
    }
  });

  test('removes any combination of markers', async () => {
    const plain = await inspectBytes(recording.build(NOTHING));
    await fc.assert(
      fc.asyncProperty(fc.subarray([...recording.places]), async (places) => {
        const found = await inspectBytes(recording.build(new Set(places)));
        expect(found?.durationMs).toBe(recording.durationMs);
        expect(found?.bytes.equals(plain?.bytes ?? Buffer.alloc(0))).toBe(true);
      }),
      { numRuns: casesOf(100) },
    );
  });

  test('the recording has a marker at each requested place before the inspection', () => {
    for (const place of recording.places) {
      expect({ place, isMarked: isMarked(recording.build(new Set([place]))) }).toEqual({
        place,
        // These names in an MP3's index are too short for the marker.
        isMarked: place !== 'Xing' && place !== 'encoder',
      });
    }
    expect(isMarked(recording.build(NOTHING))).toBe(false);
  });
});

test.each(['MP3', 'AAC'])('keeps only frames of a corrupt %s, or rejects it', async (name) => {
  const recording = MARKABLE_RECORDINGS[name] as MarkableRecording;
  const whole = recording.build(new Set(recording.places));
  const damage = fc.array(fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) }), {
    minLength: 1,
    maxLength: 12,
  });
  const lengths = name === 'AAC' ? findLengths(whole) : new Set();
  await fc.assert(
    fc.asyncProperty(damage, async (changes) => {
      const bytes = Buffer.from(whole);
      for (const { at, byte } of changes) if (!lengths.has(at)) bytes[at] = byte;
      const found = await inspectBytes(bytes);
      expect(found === undefined || !isMarked(found.bytes)).toBe(true);
    }),
    { numRuns: casesOf(400) },
  );
});

/**
 * Returns the positions of the lengths in the headers of AAC frames. With a longer one, the tag
 * behind the frame becomes a part of it, which only a decoder could tell.
 */
function findLengths(bytes: Buffer): Set<number> {
  const positions = new Set<number>();
  const sync = Buffer.of(0xff, 0xf1);
  for (let at = bytes.indexOf(sync); at !== -1; at = bytes.indexOf(sync, at + 1)) {
    for (const offset of [3, 4, 5]) positions.add(at + offset);
  }
  return positions;
}

function isMarked(bytes: Buffer): boolean {
  return bytes.includes(MARKER);
}

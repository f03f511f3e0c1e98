import { createMarkableAac, createMarkableMp3 } from './markable-frames.ts';
import type { MarkableRecording } from './marker.ts';
import { createMarkableFragmentedMp4, createMarkableMp4 } from './markable-mp4.ts';
import { createMarkableWav } from './markable-wav.ts';
import { createMarkableWebm } from './markable-webm.ts';

export { longAac, longMp4, longWebm } from './long-recording-files.ts';
export { MARKER, type MarkableRecording } from './marker.ts';

/** Recordings in all accepted formats, by name. */
export const MARKABLE_RECORDINGS: Readonly<Record<string, MarkableRecording>> = {
  WebM: createMarkableWebm(),
  'MP4 in one piece': createMarkableMp4(),
  'MP4 in fragments': createMarkableFragmentedMp4(),
  MP3: createMarkableMp3(),
  AAC: createMarkableAac(),
  WAV: createMarkableWav(),
};

import { markableAac, markableMp3 } from './frames.ts';
import type { MarkableRecording } from './marker.ts';
import { markableFragmentedMp4, markableMp4 } from './mp4.ts';
import { markableWav } from './wav.ts';
import { markableWebm } from './webm.ts';

export { longAac, longMp4, longWebm } from './long-recordings.ts';
export { MARKER, type MarkableRecording } from './marker.ts';

/** Recordings in all accepted formats, by name. */
export const MARKABLE_RECORDINGS: Readonly<Record<string, MarkableRecording>> = {
  WebM: markableWebm(),
  'MP4 in one piece': markableMp4(),
  'MP4 in fragments': markableFragmentedMp4(),
  MP3: markableMp3(),
  AAC: markableAac(),
  WAV: markableWav(),
};

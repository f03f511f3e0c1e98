import { markableAac, markableMp3 } from './markable-frames.ts';
import type { MarkableRecording } from './marker.ts';
import { markableFragmentedMp4, markableMp4 } from './markable-mp4.ts';
import { markableWav } from './markable-wav.ts';
import { markableWebm } from './markable-webm.ts';

export { longAac, longMp4, longWebm } from './long-recording-files.ts';
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

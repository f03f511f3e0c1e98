/** The container format of a recording. */
export interface RecordingFormat {
  mimeType: string;
  /** File extension without the dot. */
  extension: 'webm' | 'mp3' | 'mp4' | 'wav' | 'aac';
}

/** The formats that the server accepts, best first. Opus in WebM is missing on older Apple systems only. */
const FORMATS: readonly RecordingFormat[] = [
  { mimeType: 'audio/webm;codecs=opus', extension: 'webm' },
  { mimeType: 'audio/webm', extension: 'webm' },
  { mimeType: 'audio/mp4;codecs=mp4a.40.2', extension: 'mp4' },
  { mimeType: 'audio/mp4', extension: 'mp4' },
  { mimeType: 'audio/aac', extension: 'aac' },
  { mimeType: 'audio/mpeg', extension: 'mp3' },
  { mimeType: 'audio/wav', extension: 'wav' },
];

/** Returns the best format that the browser can record; undefined if it supports none of the accepted ones. */
export function chooseFormat(
  isSupported: (mimeType: string) => boolean,
): RecordingFormat | undefined {
  return FORMATS.find(({ mimeType }) => isSupported(mimeType));
}

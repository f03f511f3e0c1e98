/** A container that a recording is made in. */
export interface RecordingFormat {
  mimeType: string;
  /** Ending of the file's name, without the dot. */
  extension: 'webm' | 'mp3' | 'mp4' | 'wav' | 'aac';
}

/** What the server accepts, the best first: Opus in WebM is everywhere but on older Apple systems. */
const FORMATS: readonly RecordingFormat[] = [
  { mimeType: 'audio/webm;codecs=opus', extension: 'webm' },
  { mimeType: 'audio/webm', extension: 'webm' },
  { mimeType: 'audio/mp4;codecs=mp4a.40.2', extension: 'mp4' },
  { mimeType: 'audio/mp4', extension: 'mp4' },
  { mimeType: 'audio/aac', extension: 'aac' },
  { mimeType: 'audio/mpeg', extension: 'mp3' },
  { mimeType: 'audio/wav', extension: 'wav' },
];

/** The best container that the browser can record in; undefined where it can do none of those accepted. */
export function chooseFormat(
  isSupported: (mimeType: string) => boolean,
): RecordingFormat | undefined {
  return FORMATS.find(({ mimeType }) => isSupported(mimeType));
}

/** The product's limits, shared by both ends. Lengths count Unicode code points, sizes are bytes, times milliseconds. */
export const LIMITS = {
  usernameMin: 2,
  usernameMax: 20,
  emailMax: 254,
  passwordMin: 6,
  /** Long enough for any passphrase, short enough that hashing one stays cheap. */
  passwordMax: 256,
  verifyKeyLength: 6,
  resetKeyLength: 8,
  messageMax: 10_000,
  pageDefault: 50,
  pageMax: 200,
  /** Counting the unread messages of a room stops here: it must not become slow. */
  unreadMax: 5_000,
  /** Rooms that one catch-up request may ask about. */
  changesRoomsMax: 1_000,
  imageBytesMax: 10 * 1024 * 1024,
  audioBytesMax: 10 * 1024 * 1024,
  /** Longest recording; a small file can hold many hours of silence. */
  audioDurationMax: 2 * 60 * 60 * 1_000,
  /** Bars of a waveform. */
  peaksMax: 64,
  /** Height of its highest possible bar. */
  peakMax: 100,
} as const;

/** Behaviour of the client that the specification fixes. Lengths in pixels, times in milliseconds. */
export const UI = {
  redirectDelay: 2_000,
  newPasswordErrorDelay: 1_300,
  editHighlight: 3_000,
  atBottomThreshold: 50,
  composerMinHeight: 40,
  composerMaxHeight: 150,
  desktopBreakpoint: 1024,
  widePreviewBreakpoint: 1280,
  previewNarrow: 20,
  previewWide: 80,
  emojiPickerWidth: 500,
} as const;

/** Length of a text as the limits count it: in Unicode code points. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

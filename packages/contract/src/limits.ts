/**
 * Limits shared by client and server. Lengths are in Unicode code points, sizes in bytes, times in
 * milliseconds.
 */
export const LIMITS = {
  usernameMin: 2,
  usernameMax: 20,
  emailMax: 254,
  passwordMin: 6,
  /** Long enough for any passphrase, short enough to hash at low cost. */
  passwordMax: 256,
  verifyKeyLength: 6,
  resetKeyLength: 8,
  messageMax: 10_000,
  pageDefault: 50,
  pageMax: 200,
  /** Maximum count of unread messages per chatroom, so that counting stays fast. */
  unreadMax: 5_000,
  /** Maximum number of chatrooms per resync request. */
  changesRoomsMax: 1_000,
  imageBytesMax: 10 * 1024 * 1024,
  audioBytesMax: 10 * 1024 * 1024,
  /** Maximum duration of a recording, as a small file can contain many hours of silence. */
  audioDurationMax: 2 * 60 * 60 * 1_000,
  /** Maximum number of bars of a waveform. */
  peaksMax: 64,
  /** Maximum height of a bar. */
  peakMax: 100,
  /** Maximum number of usable invitations per user. */
  invitationsMax: 20,
  invitationNoteMax: 60,
  invitationDaysDefault: 30,
  invitationDaysMax: 365,
  /** Length of the code in a user's invitation link. */
  invitationCodeLength: 20,
  /** Maximum number of messages in a report. */
  reportMessagesMax: 20,
  reportCommentMax: 1_000,
  /** Maximum number of a user's reactions to a message. */
  reactionsMax: 12,
  /** Maximum length of the text that the chat list shows with a reaction. */
  reactionExcerpt: 100,
} as const;

/** Client behavior defined by the specification. Lengths are in pixels, times in milliseconds. */
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
  typingInterval: 3_000,
  typingShown: 6_000,
} as const;

/** Returns the length of a text in Unicode code points. */
export function codePoints(text: string): number {
  return Array.from(text).length;
}

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
  /** Length of the key that takes an account back to its former email address. */
  restoreKeyLength: 20,
  messageMax: 10_000,
  pageDefault: 50,
  pageMax: 200,
  /** Maximum count of unread messages per chatroom, so that counting stays fast. */
  unreadMax: 5_000,
  /** Maximum number of chatrooms per resync request. */
  changesChatroomsMax: 1_000,
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
  /** Maximum length of the text that a reply shows of the message that it replies to. */
  quoteExcerpt: 200,
  /** Maximum number of chats that a user can pin. */
  pinnedChatsMax: 5,
  searchQueryMax: 100,
  /** Minimum length of a word to search for in all chatrooms. In a single one, any length is enough. */
  searchWordMin: 3,
  searchPageDefault: 20,
  searchPageMax: 100,
  /** Maximum length of the text that shows what was found in a message. */
  searchExcerpt: 160,
  /** Up to how many the messages found in a chatroom are counted. */
  searchTotalMax: 999,
  /** Maximum length of the URL of a push subscription. */
  pushEndpointMax: 1_000,
  /** Maximum number of a user's push subscriptions. A further one replaces the oldest. */
  pushDevicesMax: 20,
  /** Maximum length of the text that a push message shows of a message. */
  pushExcerpt: 200,
  /** Maximum number of read chatrooms that a push message names. */
  pushReadMax: 40,
  /** Maximum number of a user's exports. A further one replaces the oldest. */
  exportsMax: 3,
  /** Milliseconds until a finished export is deleted. */
  exportLifetime: 24 * 60 * 60 * 1_000,
  /** Maximum length of the name of a time zone. */
  timeZoneMax: 64,
} as const;

/** Limits of what other apps share with the installed app, until the user has chosen a chat. */
export const SHARE = {
  /** Maximum number of shares that wait at the same time. */
  waitingMax: 5,
  /** Maximum length of the text, in code units. Longer messages than `messageMax` can be split. */
  textMax: 100_000,
  /** Maximum number of files that are named as left out. Further ones are counted. */
  refusedMax: 20,
  /** Maximum length of a file's name, in code points. Longer names are shortened. */
  nameMax: 100,
  /** Milliseconds until a share is deleted. */
  keptFor: 24 * 60 * 60 * 1_000,
} as const;

/** The end of a mute that does not end. */
export const MUTED_ALWAYS = '9999-12-31T23:59:59.999Z';

/** Client behavior defined by the specification. Lengths are in pixels, times in milliseconds. */
export const UI = {
  redirectDelay: 2_000,
  newPasswordErrorDelay: 1_300,
  editHighlight: 3_000,
  atBottomThreshold: 50,
  composerMinHeight: 40,
  composerMaxHeight: 150,
  /** Maximum number of unsent images per chatroom. */
  unsentImagesMax: 10,
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

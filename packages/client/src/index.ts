// The headless client: the chats of a signed-in session and the server's API.
export * from './api/client.ts';
export { isUploadResponse } from './api/response-checks.ts';
export { currentContent } from './stores/notification-settings.ts';
export type { MuteDuration } from './chat-actions.ts';
export type { MessageIdentity } from './chatroom-actions.ts';
export type { ClientEvents } from './client-events.ts';
export * from './create-client.ts';
export * from './headless-platform.ts';
export type { StoredStartData } from './offline-copy/offline-copy.ts';
export {
  eraseStaleData,
  eraseUserData,
  parseConfig,
  readStartData,
} from './offline-copy/stored-start-data.ts';
export { findDecision, typeOfChange, type ChangeTypeName } from './outbox/changes/change-types.ts';
export {
  selectChosenImages,
  type ChosenImage,
  type SendableImage,
} from './outbox/chosen-images.ts';
export { selectDraft, type Draft, type DraftChange } from './outbox/drafts.ts';
export type { IncomingMessage } from './notification-arbiter.ts';
export {
  isInFlight,
  selectUnsentFiles,
  selectFirstMessage,
  selectUnsentMessages,
  UPLOAD_ENDPOINTS,
  type FileEntry,
  type MediaFile,
  type ForwardSource,
  type MessageEntry,
  type OutboxEntry,
} from './outbox/outbox-entry.ts';
export type * from './platform.ts';
export {
  deliveryOf,
  type Chat,
  type DeliveryState,
  type PartnerReceipt,
} from './stores/chat-list.ts';
export type { ShownChatroom } from './shown/shown-chatrooms.ts';
export { selectTotalUnread, type ListedChat } from './shown/listed-chat.ts';
export type { PublishedStores } from './client-stores.ts';
export {
  DISCONNECT_NOTICE_DELAY_MS,
  hasBecomeReachable,
  hasReconnected,
  isServerReachable,
} from './stores/connection.ts';
export type { ReadingPosition } from './stores/reading-positions.ts';
export { resolveQuote, type QuoteReference } from './stores/quotes.ts';
export type { JumpOutcome, JumpTarget } from './jumps.ts';
export type { FindOptions, FoundMessages } from './search/find-messages.ts';
export type { Search, SearchOptions, SearchState, SearchStatus } from './search/search.ts';
export { isPartnerDeleted, type LoadedChatroom } from './stores/loaded-chatroom.ts';
export { currentVersion, shownPart } from './stores/message-window.ts';
export { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
export { createSessionStore, type SessionState, type SessionStore } from './stores/session.ts';
export { createStoredRecord, type StoredRecord } from './storage/stored-record.ts';
export * from './client-storage.ts';
export * from './storage/memory-storage.ts';
export { openPendingErasure } from './storage/pending-erasure.ts';
export { completePendingErasure, shouldEraseEverything } from './storage/user-storage.ts';

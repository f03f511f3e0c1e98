// The headless client: the chats of a signed-in session, and the server's API.
export * from './api/accounts.ts';
export * from './api/chatrooms.ts';
export * from './api/client.ts';
export * from './api/config.ts';
export * from './api/sessions.ts';
export * from './create-client.ts';
export * from './headless-platform.ts';
export type { KeptFacts } from './offline-copy/offline-copy.ts';
export { eraseOutdatedStored, eraseStored, readStartFacts } from './offline-copy/start-facts.ts';
export type { Incoming } from './notification-arbiter.ts';
export {
  filesTo,
  firstMessageTo,
  messagesTo,
  type FileEntry,
  type MessageEntry,
  type MediaKind,
  type OutboxEntry,
} from './outbox/outbox-entry.ts';
export type { UploadMedia, UploadOptions } from './outbox/upload-file.ts';
export type * from './platform.ts';
export type { Chat } from './stores/chat-list.ts';
export { selectTotalUnread } from './stores/chats.ts';
export type { ClientStores } from './stores/client-stores.ts';
export { NOTICED_AFTER } from './stores/connection.ts';
export type { ReadingPosition } from './stores/reading-positions.ts';
export { isPartnerDeleted, type Room } from './stores/room.ts';
export { loadedRoom } from './stores/rooms.ts';
export { createSessionStore, type SessionState, type SessionStore } from './stores/session.ts';
export { storedRecord, type StoredRecord } from './stores/stored-record.ts';
export * from './storage/client-storage.ts';
export * from './storage/memory-storage.ts';
export { erasesEverything } from './storage/user-storage.ts';

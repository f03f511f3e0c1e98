import type { MediaInfo } from '@parley/contract';
import { hasFields, isText } from '../api/responses.ts';
import type { TextStorage } from '../platform.ts';
import { legacyOutboxKey } from '../storage/legacy-records.ts';
import { createStoredRecord, type StoredRecord } from '../storage/stored-record.ts';
import type { OutboxEntry } from './outbox-entry.ts';

/** Opens the outbox that earlier versions kept in `localStorage`, to migrate it. */
export function openLegacyOutbox(
  storage: TextStorage,
  username: string,
): StoredRecord<readonly OutboxEntry[]> {
  return createStoredRecord(storage, legacyOutboxKey(username), [], parse);
}

interface LegacyEntry {
  clientId: string;
  chatroom: string;
  content: string;
  media?: MediaInfo;
  createdAt: string;
  state: 'waiting' | 'sending' | 'failed';
}

function parse(value: unknown): readonly OutboxEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const before = Date.now() - value.length;
  return value
    .filter(isLegacyEntry)
    .map(({ clientId, chatroom, content, media, createdAt, state }, index) => ({
      clientId,
      content,
      media,
      createdAt,
      to: { chatroomId: chatroom },
      order: before + index,
      state: state === 'failed' ? state : 'waiting',
    }));
}

function isLegacyEntry(value: unknown): value is LegacyEntry {
  return hasFields(value, {
    clientId: isText,
    chatroom: isText,
    content: isText,
    createdAt: isText,
    state: (state) => state === 'waiting' || state === 'sending' || state === 'failed',
  });
}

import {
  createListCheck,
  hasFields,
  isBoolean,
  isNumber,
  isOptionalBoolean,
  isText,
  isTextList,
  type FieldCheck,
} from '../api/responses.ts';
import type { Chat } from '../stores/chat-list.ts';

const isLast: FieldCheck = (last) =>
  last === null ||
  hasFields(last, {
    content: isText,
    kind: isText,
    isOwn: isBoolean,
    seq: (seq) => seq === undefined || isNumber(seq),
  });

const isChatList = createListCheck({
  id: isText,
  names: isTextList,
  isDeleted: isBoolean,
  last: isLast,
  time: (time) => time === null || isText(time),
  activeAt: isText,
  unread: isNumber,
  rev: isNumber,
  isRequest: isOptionalBoolean,
  isUndecided: isOptionalBoolean,
  receipt: (receipt) =>
    receipt === undefined ||
    receipt === null ||
    hasFields(receipt, { deliveredSeq: isNumber, readSeq: isNumber }),
  isPinned: isOptionalBoolean,
  settings: (settings) =>
    settings === undefined ||
    hasFields(settings, {
      version: isNumber,
      isPinned: isOptionalBoolean,
      isArchived: isOptionalBoolean,
      isMarkedUnread: isOptionalBoolean,
      mutedUntil: (time) => time === undefined || isText(time),
    }),
  reaction: (reaction) =>
    reaction === undefined ||
    hasFields(reaction, {
      messageId: isText,
      emoji: isText,
      content: isText,
      kind: isText,
      createdAt: isText,
    }),
});

/** Parses a stored chat list. Returns undefined for any other value. */
export function parseStoredChats(value: unknown): readonly Chat[] | undefined {
  return isChatList(value) ? (value as readonly Chat[]) : undefined;
}

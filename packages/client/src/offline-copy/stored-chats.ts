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
    seq: isNumber,
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
  memberRev: isNumber,
  readSeq: isNumber,
  clearedSeq: isNumber,
  status: isText,
  isSentAsRequest: isOptionalBoolean,
  receipt: (receipt) =>
    receipt === null || hasFields(receipt, { deliveredSeq: isNumber, readSeq: isNumber }),
  isPinned: isOptionalBoolean,
  settings: (settings) =>
    hasFields(settings, {
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

import { cutExcerpt, LIMITS, type Message, type Quote } from '@parley/contract';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { shallow } from 'zustand/vanilla/shallow';
import {
  hasFields,
  isNumber,
  isOptionalBoolean,
  isText,
  type FieldCheck,
} from '../api/responses.ts';
import { clearedFloor } from './chat-list.ts';
import type { LoadedChatroom } from './loaded-chatroom.ts';

/** A reference to the message that an unsent one replies to. Nothing of its content is stored. */
export type QuoteReference = Pick<Quote, 'messageId' | 'seq'>;

/** Returns whether a value refers to a message. */
export const isQuoteReference: FieldCheck = (value) =>
  hasFields(value, { messageId: isText, seq: isNumber });

/** Returns whether a value is a quote. */
export const isQuote: FieldCheck = (value) =>
  isQuoteReference(value) &&
  hasFields(value, {
    username: isText,
    kind: isText,
    content: isText,
    isDeleted: isOptionalBoolean,
  });

/** Returns the quote of a message, as the server does. */
export function quoteOf({ _id, seq, sender, kind, content, media }: Message): Quote {
  const { username } = sender;
  const quote = { messageId: _id, seq, username, kind };
  if (kind === 'audio') return { ...quote, content: '' };
  if (kind === 'image') return { ...quote, content: media?.isBlocked === true ? '' : content };
  return { ...quote, content: cutExcerpt(content, LIMITS.quoteExcerpt) };
}

/** Returns the quote of a deleted message. */
export function toDeletedQuote({ messageId, seq }: QuoteReference): Quote {
  return { messageId, seq, username: '', kind: 'text', content: '', isDeleted: true };
}

/**
 * Returns messages with quotes that match the loaded originals, and without the content of deleted ones.
 * Unaffected messages keep their identity, and so does the list if there are none.
 * @param changed changed originals, which need not be in the list
 * @param isDeleted returns whether an original that is not in the list is deleted
 */
export function withCurrentQuotes(
  messages: readonly Message[],
  isDeleted: (quote: Quote) => boolean,
  changed: readonly Message[] = [],
): readonly Message[] {
  if (!messages.some(({ replyTo }) => replyTo !== undefined)) return messages;
  const originals = new Map([...changed, ...messages].map((message) => [message._id, message]));
  let hasChanged = false;
  const next = messages.map((message) => {
    const { replyTo } = message;
    if (!replyTo) return message;
    const original = originals.get(replyTo.messageId);
    const quote = isDeleted(replyTo)
      ? toDeletedQuote(replyTo)
      : original
        ? quoteOf(original)
        : replyTo;
    if (shallow(quote, replyTo)) return message;
    hasChanged = true;
    return { ...message, replyTo: quote };
  });
  return hasChanged ? next : messages;
}

/** Quotes of messages to which the user replies, by message id. Only in memory. */
export interface QuotesState {
  quotes: Readonly<Record<string, Quote>>;
  /** Remembers the quote of a message to which the user replies. */
  remember: (quote: Quote) => void;
  /** Updates the quote of a message, if it is remembered. */
  update: (message: Message) => void;
  /** Removes the content of the quote of a deleted message, if it is remembered. */
  setDeleted: (messageId: string) => void;
}

/** Creates the store without quotes. */
export function createQuotesStore(): StoreApi<QuotesState> {
  return createStore<QuotesState>()((set, get) => {
    const remember = (quote: Quote): void =>
      set(({ quotes }) => ({ quotes: { ...quotes, [quote.messageId]: quote } }));
    return {
      quotes: {},
      remember,
      update: (message) => {
        if (get().quotes[message._id]) remember(quoteOf(message));
      },
      setDeleted: (messageId) => {
        const known = get().quotes[messageId];
        if (known && !known.isDeleted) remember(toDeletedQuote(known));
      },
    };
  });
}

/**
 * Returns the quote of the message that an unsent one replies to. Undefined if it is neither loaded nor
 * remembered.
 */
export function resolveQuote(
  room: Pick<
    LoadedChatroom,
    'messages' | 'detached' | 'deletedRevs' | 'hasMore' | 'clearedSeq' | 'ownClearedSeq'
  >,
  reference: QuoteReference,
  quotes: QuotesState['quotes'],
): Quote | undefined {
  const { messageId, seq } = reference;
  if (room.deletedRevs.has(messageId) || seq <= clearedFloor(room)) {
    return toDeletedQuote(reference);
  }
  const loaded = [...room.messages, ...(room.detached?.messages ?? [])];
  const original = loaded.find(({ _id }) => _id === messageId);
  if (original) return quoteOf(original);
  const oldest = room.messages[0]?.seq ?? Infinity;
  if (!room.hasMore || seq >= oldest) return toDeletedQuote(reference);
  return quotes[messageId];
}

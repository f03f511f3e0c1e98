import type { ChatState, Message, Quote } from '@parley/contract';

/**
 * A text, or the file of an upload. Its URL is made on the way out, as servers with other public URLs receive the
 * same events.
 */
export type ViewedContent = string | { readonly file: string };

/** The message that another one replies to, as a viewer sees it. */
export type ViewedQuote = Omit<Quote, 'content'> & { content: ViewedContent };

/** A message as a viewer sees it, before it gets its wire format. */
export type ViewedMessage = Omit<Message, 'content' | 'replyTo'> & {
  content: ViewedContent;
  replyTo?: ViewedQuote;
};

/** A chat as a member sees it, before it gets its wire format. */
export type ViewedChat = Omit<ChatState, 'lastMessage'> & {
  lastMessage:
    | (Omit<NonNullable<ChatState['lastMessage']>, 'content'> & { content: ViewedContent })
    | null;
};

/** Returns the content of a row as a viewer sees it. */
export function toContent({
  content,
  file,
}: {
  readonly content: string;
  readonly file: string | null;
}): ViewedContent {
  return file === null ? content : { file };
}

/** Formats UTC milliseconds as ISO 8601. */
export function toTimestamp(time: number): string {
  return new Date(time).toISOString();
}

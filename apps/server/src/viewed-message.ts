import type { Message, Quote } from '@parley/contract';

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

import { quoteOf, type Client, type QuoteReference } from '@parley/client';
import type { Message } from '@parley/contract';
import { useClient, useClientState } from '../../../client/client-context.ts';

/** Starts a reply to a message with the draft of its chatroom. */
export function startReply(client: Client, message: Message): void {
  const quote = quoteOf(message);
  client.editing.getState().stop();
  client.quotes.getState().remember(quote);
  client.drafts.getState().setReply(message.chatroom, quote);
}

/** The message to which the draft of a chatroom replies. */
export interface DraftReply {
  replyTo: QuoteReference | undefined;
  /** Removes it from the draft. */
  cancel: () => void;
}

/** Returns the message to which the draft of a chatroom replies. */
export function useDraftReply(chatroomId: string): DraftReply {
  const client = useClient();
  const replyTo = useClientState('drafts', ({ replies }) => replies[chatroomId]);
  return {
    replyTo,
    cancel: () => client.drafts.getState().setReply(chatroomId, undefined),
  };
}

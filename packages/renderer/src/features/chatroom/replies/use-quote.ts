import {
  findLoadedChatroom,
  isServerReachable,
  resolveQuote,
  type QuoteReference,
} from '@parley/client';
import type { Quote } from '@parley/contract';
import { useEffect } from 'react';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';

/**
 * Returns the quote of the message that an unsent one replies to. Loads it if the message is not loaded;
 * undefined until then.
 */
export function useQuote(chatroomId: string, reference: QuoteReference): Quote | undefined {
  const client = useClient();
  const room = useClientState('rooms', (state) => findLoadedChatroom(state, chatroomId));
  const quotes = useClientState('quotes', (state) => state.quotes);
  const isOnline = useClientState('connection', isServerReachable);
  const quote = room && resolveQuote(room, reference, quotes);
  const isMissing = room !== undefined && quote === undefined;
  const { messageId, seq } = reference;
  useEffect(() => {
    if (!isMissing || !isOnline) return;
    client
      .loadQuote(chatroomId, { messageId, seq })
      .catch((error: unknown) => logFailure('loading a quoted message', error));
  }, [client, chatroomId, messageId, seq, isMissing, isOnline]);
  return quote;
}

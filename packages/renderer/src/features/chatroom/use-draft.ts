import { selectDraft, type Draft, type DraftChange } from '@parley/client';
import { useClient, useClientState } from '../../client/client-context.ts';

/** The draft of a chatroom and a function that changes it. */
export type ChangeableDraft = readonly [draft: Draft, change: (change: DraftChange) => void];

/** Returns the draft of a chatroom and a function that changes it. */
export function useDraft(chatroomId: string): ChangeableDraft {
  const client = useClient();
  const draft = useClientState('drafts', (state) => selectDraft(state, chatroomId));
  return [draft, (change) => client.drafts.getState().change(chatroomId, change)];
}

/** Returns the id of the message that the user is editing in a chatroom. Unlike the draft, it seldom changes. */
export function useEditedMessageId(chatroomId: string): string | undefined {
  return useClientState('drafts', (state) => selectDraft(state, chatroomId).editing?.messageId);
}

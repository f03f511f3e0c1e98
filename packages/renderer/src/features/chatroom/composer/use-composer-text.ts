import type { Message } from '@parley/contract';
import type { RefObject } from 'react';
import { useClient, useClientState } from '../../../client/client-context.ts';

interface EditActions {
  save: (content: string) => void;
  stopEditing: () => void;
}

/** The text in the text box: of the message that is being edited, or the draft. */
export interface ComposerText extends EditActions {
  editing: Message | undefined;
  value: string;
  setValue: (text: string) => void;
}

/** Returns the text in the text box, and how to change and save it. */
export function useComposerText(
  chatroomId: string,
  box: RefObject<HTMLTextAreaElement | null>,
): ComposerText {
  const client = useClient();
  const draft = useClientState('drafts', (state) => state.drafts[chatroomId] ?? '');
  const { message: editing, text: edited } = useClientState('editing');
  return {
    ...useSaveEdit(editing, box),
    editing,
    value: editing ? edited : draft,
    setValue: (text: string): void => {
      if (editing) client.editing.getState().setText(text);
      else {
        client.drafts.getState().setDraft(chatroomId, text);
        if (text !== '') client.notifyTyping(chatroomId);
      }
    },
  };
}

/** Returns functions that save the edited message, and stop editing. */
function useSaveEdit(
  editing: Message | undefined,
  box: RefObject<HTMLTextAreaElement | null>,
): EditActions {
  const client = useClient();

  const stopEditing = (): void => {
    client.editing.getState().stop();
    box.current?.focus();
  };

  const save = (content: string): void => {
    if (editing && content !== editing.content) client.edit(editing, content);
    stopEditing();
  };

  return { save, stopEditing };
}

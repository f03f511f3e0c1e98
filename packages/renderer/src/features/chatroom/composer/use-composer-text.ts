import type { Message } from '@parley/contract';
import { useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient, useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { toastError } from '../../../ui/show-toast.ts';

interface EditActions {
  save: (content: string) => Promise<void>;
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

/** Returns functions that save the edited message, one request at a time, and stop editing. */
function useSaveEdit(
  editing: Message | undefined,
  box: RefObject<HTMLTextAreaElement | null>,
): EditActions {
  const { t } = useTranslation();
  const client = useClient();
  const [isSaving, setIsSaving] = useState(false);

  const stopEditing = (): void => {
    client.editing.getState().stop();
    box.current?.focus();
  };

  const save = async (content: string): Promise<void> => {
    if (!editing || isSaving) return;
    if (content === editing.content) {
      stopEditing();
      return;
    }
    setIsSaving(true);
    try {
      await client.edit(editing, content);
      stopEditing();
    } catch (error) {
      logFailure('editing a message', error);
      toastError(t('composer.editFailed'));
    }
    setIsSaving(false);
  };

  return { save, stopEditing };
}

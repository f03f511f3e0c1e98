import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClientState } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { chatActionErrorText } from '../../../shared/screen/chat-action-error-text.ts';
import { toastError } from '../../../ui/show-toast.ts';

interface ChatAction {
  isBusy: boolean;
  /** Whether there is no connection, which the action needs. */
  isOffline: boolean;
  /** Runs the action. Resolves to whether it succeeded. Shows an error if not. */
  run: () => Promise<boolean>;
}

/** Runs an action of the user that needs the server, such as accepting a chat. */
export function useChatAction(action: () => Promise<void>): ChatAction {
  const { t } = useTranslation();
  const [isBusy, setIsBusy] = useState(false);
  const isOffline = useClientState(
    'connection',
    ({ disconnectedAt }) => disconnectedAt !== undefined,
  );

  const run = async (): Promise<boolean> => {
    setIsBusy(true);
    try {
      await action();
      return true;
    } catch (error) {
      logFailure('changing a chat', error);
      toastError(chatActionErrorText(t, error));
      return false;
    } finally {
      setIsBusy(false);
    }
  };

  return { isBusy, isOffline, run };
}

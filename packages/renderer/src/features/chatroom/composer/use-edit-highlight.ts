import { UI } from '@parley/contract';
import { useEffect, useState } from 'react';

/** Returns whether to highlight the composer: for three seconds after editing starts. */
export function useEditHighlight(messageId: string | undefined): boolean {
  const [fadedMessageId, setFadedMessageId] = useState<string>();
  useEffect(() => {
    if (messageId === undefined) return undefined;
    const timer = setTimeout(() => setFadedMessageId(messageId), UI.editHighlight);
    return () => {
      clearTimeout(timer);
      setFadedMessageId(undefined);
    };
  }, [messageId]);
  return messageId !== undefined && fadedMessageId !== messageId;
}

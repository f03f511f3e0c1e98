import { UI } from '@parley/contract';
import { useEffect, useState } from 'react';

/** Returns whether to highlight the composer: for three seconds after editing starts. */
export function useEditHighlight(messageId: string | undefined): boolean {
  const [faded, setFaded] = useState<string>();
  useEffect(() => {
    if (messageId === undefined) return undefined;
    const timer = setTimeout(() => setFaded(messageId), UI.editHighlight);
    return () => {
      clearTimeout(timer);
      setFaded(undefined);
    };
  }, [messageId]);
  return messageId !== undefined && faded !== messageId;
}

import { UI } from '@parley/contract';
import { useEffect, useState } from 'react';

/** Whether the outline that says «you are changing a message» is to be seen: for three seconds from the start. */
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

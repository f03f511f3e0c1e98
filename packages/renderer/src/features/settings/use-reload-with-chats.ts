import { useEffect, useEffectEvent, useRef } from 'react';
import { useClientState } from '../../client/client-context.ts';

/**
 * Reloads when a chat disappears from the list or appears, as when the user blocks the partner on another device or
 * an invitation is used.
 */
export function useReloadWithChats(reload: () => void): void {
  const ids = useClientState('chats', ({ status, chats }) =>
    status === 'ready'
      ? chats
          .map(({ id }) => id)
          .toSorted()
          .join()
      : undefined,
  );
  const before = useRef(ids);
  const reloadNow = useEffectEvent(reload);
  useEffect(() => {
    if (before.current !== undefined && before.current !== ids) reloadNow();
    before.current = ids;
  }, [ids]);
}

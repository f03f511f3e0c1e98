import { typeOfChange } from '@parley/client';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useClientState } from '../../client/client-context.ts';

/**
 * Reloads when a chat disappears from the list or appears, as when the user blocks the partner on another device or
 * an invitation is used, and when the server has learned of a decision about a partner.
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
  const waiting = useClientState('outbox', ({ changes }) =>
    changes
      .filter((change) => typeOfChange(change) === 'status')
      .map(({ key }) => key)
      .join(),
  );
  const state = ids === undefined ? undefined : `${ids} ${waiting}`;
  const before = useRef(state);
  const reloadNow = useEffectEvent(reload);
  useEffect(() => {
    if (before.current !== undefined && before.current !== state) reloadNow();
    before.current = state;
  }, [state]);
}

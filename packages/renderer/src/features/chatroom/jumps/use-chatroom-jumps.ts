import { ApiError, type JumpTarget, type OutboxEntry, type LoadedChatroom } from '@parley/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useClient } from '../../../client/client-context.ts';
import { logFailure } from '../../../logging/log-failure.ts';
import { toastError, toastInfo } from '../../../ui/show-toast.ts';

/** The message to which the list scrolls, once it is loaded. */
export interface ListTarget {
  seq: number;
  /** Differs between jumps, so that each happens once. */
  id: number;
  /** Whether the focus stays where it is, as in a search field. */
  keepsFocus: boolean;
}

/** The jumps of a user in a chatroom. */
export interface ChatroomJumps {
  target: ListTarget | undefined;
  /** Called with the id of the target when the list has scrolled to it. */
  onReached: (targetId: number) => void;
  isLoading: boolean;
  /**
   * Jumps to a message.
   * @param from `seq` of the message from which the user jumps, to which the user can go back
   */
  jump: (to: JumpTarget, from?: number) => void;
  /** Jumps to a message and leaves the focus where it is. */
  reveal: (to: JumpTarget, from?: number) => void;
  /** Goes back to where the user jumped from. Undefined if the user did not jump from a message. */
  goBack: (() => void) | undefined;
  /** Shows the newest messages, the last of which gets the focus once the list has arrived there. */
  showNewest: () => void;
  /** Returns whether the newest message is to get the focus now, once for each `showNewest`. */
  takeFocusRequest: () => boolean;
  /** Forgets where the user jumped from, as the user has arrived at the newest messages. */
  forgetOrigins: () => void;
}

interface JumpOptions {
  /** Whether it goes back to where the user jumped from. */
  isBack?: boolean;
  keepsFocus?: boolean;
  from?: number | undefined;
}

/** Returns the jumps of a user in a chatroom. Only the latest jump has an effect. */
export function useChatroomJumps({ id }: Pick<LoadedChatroom, 'id'>): ChatroomJumps {
  const { t } = useTranslation();
  const client = useClient();
  const [target, setTarget] = useState<ListTarget>();
  const [origins, setOrigins] = useState<readonly number[]>([]);
  const [loadingId, setLoadingId] = useState<number>();
  const latestId = useRef(0);
  const isFocusRequested = useRef(false);

  const run = useCallback(
    async (
      to: JumpTarget,
      { isBack = false, keepsFocus = false, from }: JumpOptions,
    ): Promise<void> => {
      latestId.current += 1;
      const jumpId = latestId.current;
      // Set before the messages are loaded, so that the list with them opens at the target.
      setTarget({ seq: to.seq, id: jumpId, keepsFocus });
      setLoadingId(jumpId);
      let failure: string | undefined;
      let isReached = false;
      try {
        const outcome = await client.jumpTo(id, to);
        isReached = outcome.messageId !== undefined;
        if (outcome.messageId === undefined && outcome.reason === 'missing') {
          failure = t('reply.jumpMissing');
        }
      } catch (error) {
        logFailure('jumping to a message', error);
        const isOffline = error instanceof ApiError && error.code === 'offline';
        failure = t(isOffline ? 'reply.jumpOffline' : 'reply.jumpFailed');
      }
      setLoadingId((now) => (now === jumpId ? undefined : now));
      if (isReached && from !== undefined) setOrigins((now) => [...now, from]);
      if (isReached && isBack) setOrigins((now) => now.slice(0, -1));
      if (failure === undefined || latestId.current !== jumpId) return;
      setTarget((now) => (now?.id === jumpId ? undefined : now));
      if (failure === t('reply.jumpMissing')) toastInfo(failure);
      else toastError(failure);
      // The message from which the user jumped was deleted.
      if (isBack) setOrigins((now) => now.slice(0, -1));
    },
    [client, id, t],
  );

  const cancel = useCallback(() => {
    latestId.current += 1;
    setTarget(undefined);
    setLoadingId(undefined);
    setOrigins([]);
  }, []);

  // Own new messages are always shown, and drafts of media change nothing.
  useEffect(() => {
    const countOf = (entries: readonly OutboxEntry[]): number =>
      entries.filter(({ to, state }) => to.chatroomId === id && state !== 'draft').length;
    return client.outbox.subscribe(({ entries }, before) => {
      if (entries === before.entries || countOf(entries) <= countOf(before.entries)) return;
      cancel();
      client.showNewest(id);
    });
  }, [client, id, cancel]);

  const origin = origins.at(-1);
  return {
    target,
    onReached: useCallback(
      (targetId: number) => setTarget((now) => (now?.id === targetId ? undefined : now)),
      [],
    ),
    isLoading: loadingId !== undefined,
    jump: useCallback((to: JumpTarget, from?: number) => void run(to, { from }), [run]),
    reveal: useCallback(
      (to: JumpTarget, from?: number) => void run(to, { from, keepsFocus: true }),
      [run],
    ),
    goBack: origin === undefined ? undefined : () => void run({ seq: origin }, { isBack: true }),
    showNewest: () => {
      isFocusRequested.current = true;
      cancel();
      client.showNewest(id);
    },
    takeFocusRequest: useCallback(() => {
      const isRequested = isFocusRequested.current;
      isFocusRequested.current = false;
      return isRequested;
    }, []),
    forgetOrigins: useCallback(() => setOrigins((now) => (now.length === 0 ? now : [])), []),
  };
}

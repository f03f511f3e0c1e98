import {
  ApiError,
  type JumpTarget,
  type LoadedChatroom,
  type OutboxEntry,
  type ReadingPosition,
} from '@parley/client';
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
  /** How far its row is above the top edge of the list, in pixels. Undefined for the middle. */
  offset: number | undefined;
}

/** The jumps of a user in a chatroom. */
export interface ChatroomJumps {
  target: ListTarget | undefined;
  /** Called with the id of the target when the list has scrolled to it. */
  onReached: (targetId: number) => void;
  isLoading: boolean;
  /**
   * Jumps to a message. The user can go back to where they were reading, unless that was the end.
   * @param from `seq` of the message from which the user jumps, such as a reply. The user can always go back to it
   */
  jump: (to: JumpTarget, from?: number) => void;
  /**
   * Jumps to a message and leaves the focus where it is.
   * @param isNext whether it follows another jump, so that the user goes back to where they were before that one
   */
  reveal: (to: JumpTarget, isNext: boolean) => void;
  /**
   * Jumps to the message of a link. Resolves to false if it could not be loaded, and to true if it is shown, does not
   * exist, or the user has moved on.
   */
  follow: (to: JumpTarget) => Promise<boolean>;
  /** The number of times that the user has moved otherwise: jumped, or gone to the newest messages. */
  moves: number;
  /** Leaves the focus where it is, as the user has gone there since the jump began. */
  keepFocus: () => void;
  /** The way back to where the user jumped from. */
  wayBack: WayBack | undefined;
  /** Shows the newest messages, the last of which gets the focus once the list has arrived there. */
  showNewest: () => void;
  /** Returns whether the newest message is to get the focus now, once for each `showNewest`. */
  takeFocusRequest: () => boolean;
  /** Forgets where the user jumped from, as the user has arrived at the newest messages. */
  forgetOrigins: () => void;
}

/** The way back to where the user jumped from. */
export interface WayBack {
  /** Whether the user jumped from a reply. */
  isToReply: boolean;
  go: () => void;
}

/** Where the user jumped from. */
interface Origin extends Pick<ReadingPosition, 'seq' | 'offset'> {
  isReply: boolean;
}

interface JumpOptions {
  /** Where the user jumps from. */
  origin?: Origin | undefined;
  /** Whether it goes back to where the user jumped from. */
  isBack?: boolean;
  /** Whether it follows a link, at which the user has not moved within the chatroom. */
  isLink?: boolean;
  keepsFocus?: boolean;
  offset?: number;
}

/** Returns the jumps of a user in a chatroom. Only the latest jump has an effect. */
export function useChatroomJumps({ id }: Pick<LoadedChatroom, 'id'>): ChatroomJumps {
  const { t } = useTranslation();
  const client = useClient();
  const [target, setTarget] = useState<ListTarget>();
  const [origins, setOrigins] = useState<readonly Origin[]>([]);
  const [loadingId, setLoadingId] = useState<number>();
  const latestId = useRef(0);
  const [moves, setMoves] = useState(0);
  const isFocusRequested = useRef(false);

  const run = useCallback(
    async (
      to: JumpTarget,
      { origin, isBack = false, isLink = false, keepsFocus = false, offset }: JumpOptions,
    ): Promise<boolean> => {
      latestId.current += 1;
      const jumpId = latestId.current;
      if (!isLink) setMoves((now) => now + 1);
      // Set before the messages are loaded, so that the list with them opens at the target.
      setTarget({ seq: to.seq, id: jumpId, keepsFocus, offset });
      setLoadingId(jumpId);
      let failure: string | undefined;
      let isReached = false;
      let isMissing = false;
      try {
        const outcome = await client.jumpTo(id, to);
        isReached = outcome.messageId !== undefined;
        isMissing = outcome.messageId === undefined && outcome.reason === 'missing';
        if (isMissing) failure = t('reply.jumpMissing');
      } catch (error) {
        logFailure('jumping to a message', error);
        const isOffline = error instanceof ApiError && error.code === 'offline';
        failure = t(isOffline ? 'reply.jumpOffline' : 'reply.jumpFailed');
      }
      setLoadingId((now) => (now === jumpId ? undefined : now));
      if (isReached && origin) setOrigins((now) => [...now, origin]);
      if (isReached && isBack) setOrigins((now) => now.slice(0, -1));
      const isLatest = latestId.current === jumpId;
      if (failure === undefined || !isLatest) return true;
      setTarget((now) => (now?.id === jumpId ? undefined : now));
      if (isMissing) toastInfo(failure);
      else toastError(failure);
      // The message from which the user jumped was deleted.
      if (isBack) setOrigins((now) => now.slice(0, -1));
      return isMissing;
    },
    [client, id, t],
  );

  const cancel = useCallback(() => {
    latestId.current += 1;
    setMoves((now) => now + 1);
    setTarget(undefined);
    setLoadingId(undefined);
    setOrigins([]);
  }, []);

  const findOrigin = useCallback(
    (from?: number): Origin | undefined => {
      const position = client.view.getState().findPosition?.(from);
      const isReply = from !== undefined;
      return position && { seq: position.seq, offset: position.offset, isReply };
    },
    [client],
  );

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
    jump: useCallback(
      (to: JumpTarget, from?: number) => void run(to, { origin: findOrigin(from) }),
      [run, findOrigin],
    ),
    reveal: useCallback(
      (to: JumpTarget, isNext: boolean) =>
        void run(to, { origin: isNext ? undefined : findOrigin(), keepsFocus: true }),
      [run, findOrigin],
    ),
    follow: useCallback(
      (to: JumpTarget) => run(to, { origin: findOrigin(), isLink: true }),
      [run, findOrigin],
    ),
    moves,
    keepFocus: useCallback(
      () => setTarget((now) => (now && !now.keepsFocus ? { ...now, keepsFocus: true } : now)),
      [],
    ),
    wayBack: origin && {
      isToReply: origin.isReply,
      go: () => void run({ seq: origin.seq }, { isBack: true, offset: origin.offset }),
    },
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

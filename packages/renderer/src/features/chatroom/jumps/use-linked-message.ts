import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { seqOfPath } from '../../../navigation/paths.ts';
import { useShortenAddress } from '../../../navigation/shorten-address.ts';
import { listenToInputs } from '../messages/listen-to-inputs.ts';
import type { ChatroomJumps } from './use-chatroom-jumps.ts';

/** A jump to the message of the address that has ended. */
interface EndedJump {
  /** The key of the entry in the history with the address. */
  key: string;
  /** Whether it need not be repeated. */
  isDone: boolean;
  /** The user's moves before it. */
  moves: number;
  /** The number of the connection with which it began. */
  connection: number;
  /** The number of attempts so far. */
  attempts: number;
}

/**
 * Jumps to the message of the address, and then makes the address that of the chatroom, so that a reload does not
 * repeat it. If the message could not be loaded, tries again after a reconnect, unless the user has done something else
 * in the chatroom. A text box that the user has gone to meanwhile keeps the focus.
 * @param isReady whether the list is up to date, or there is no connection to update it
 */
export function useLinkedMessage(
  isReady: boolean,
  isConnected: boolean,
  { follow, moves, keepFocus }: Pick<ChatroomJumps, 'follow' | 'moves' | 'keepFocus'>,
): void {
  const { pathname, key } = useLocation();
  const seq = seqOfPath(pathname);
  const connection = useConnectionNumber(isConnected);
  const [ended, setEnded] = useState<EndedJump>();

  const end = ended?.key === key ? ended : undefined;
  const isDone = end !== undefined && (end.isDone || end.moves !== moves);
  const canTry = end === undefined || end.connection < connection;
  const isDue = seq !== undefined && isReady && !isDone && canTry;

  const attempt = (end?.attempts ?? 0) + 1;
  const running = useRef<{ key: string }>(undefined);
  const start = useEffectEvent(async (linked: number, entryKey: string, attempts: number) => {
    if (running.current?.key === entryKey) return;
    const jump = { key: entryKey, connection, attempts, moves };
    running.current = jump;
    const hasEnded = await follow({ seq: linked });
    // A link to another message may have been opened in the meantime.
    if (running.current !== jump) return;
    running.current = undefined;
    setEnded({ ...jump, isDone: hasEnded });
  });
  useEffect(() => {
    if (isDue) void start(seq, key, attempt);
  }, [isDue, seq, key, attempt]);

  const handleInput = useEffectEvent(({ target }: Event) => {
    if (!(target instanceof Element) || !target.closest('[data-room]')) return;
    if (running.current) keepFocus();
    else setEnded((now) => (now?.key === key ? { ...now, isDone: true } : now));
  });
  const isPending = seq !== undefined && !isDone;
  useEffect(() => {
    if (!isPending) return undefined;
    return listenToInputs(window, (event) => handleInput(event), { capture: true });
  }, [isPending]);

  const shorten = useShortenAddress();
  useEffect(() => (isDone ? shorten(pathname) : undefined), [isDone, shorten, pathname]);
}

/** Returns the number of times that the connection was established again. */
function useConnectionNumber(isConnected: boolean): number {
  const [seen, setSeen] = useState({ isConnected, count: 0 });
  if (seen.isConnected === isConnected) return seen.count;
  const count = seen.count + (isConnected ? 1 : 0);
  setSeen({ isConnected, count });
  return count;
}

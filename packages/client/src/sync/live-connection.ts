import type { ClientSignals, PayloadHandlers, SessionEndReason } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import { ApiError } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import type { ConnectionState } from '../stores/connection.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import type { Resync } from './client-resync.ts';
import type { StoreEvents } from './event-handlers.ts';
import { createPolling } from './polling.ts';
import type { ClientSocket } from './socket.ts';

/** The live connection. It runs until `stop` is called. */
export interface LiveConnection {
  /** Connects now instead of after the backoff. */
  retry: () => void;
  /** Reconnects even if the connection looks alive. */
  renew: () => void;
  /** Sends a signal. Does nothing without a connection. */
  signal: <Name extends keyof ClientSignals>(
    name: Name,
    ...payload: Parameters<PayloadHandlers<ClientSignals>[Name]>
  ) => void;
  stop: () => void;
}

interface LiveConnectionDeps {
  platform: Pick<Platform, 'isOnline' | 'onNetworkChange' | 'watchUse' | 'logFailure'>;
  connection: StoreApi<ConnectionState>;
  socket: ClientSocket;
  handlers: StoreEvents;
  resync: Resync;
  /** Called when the server responds again, and what was missed is applied. */
  onReachable: () => void;
  /** Called for each further poll that has applied changes. */
  onPolled: () => void;
  /** Called when the socket could not connect. The session may be over. */
  onRefused: () => void;
  onSessionEnded: (reason: SessionEndReason) => void;
  timing?: Pick<ClientTiming, 'resyncRetryMin' | 'pollMin' | 'pollMax'>;
}

/** After so many polls without a live connection, it is told to be blocked. One succeeds while a server restarts. */
const POLLS_UNTIL_TOLD = 2;

/**
 * Connects and keeps the connection alive. After each connect, it fetches missed changes first and
 * queues live events until then, so that chatrooms never miss, duplicate or reorder messages. While only the live
 * connection fails, as behind a proxy that blocks websockets, it fetches changes at intervals.
 */
export function startLiveConnection(deps: LiveConnectionDeps): LiveConnection {
  const { platform, connection, socket, handlers, resync, onRefused, onSessionEnded } = deps;
  const timing = deps.timing ?? DEFAULT_TIMING;
  const { resyncRetryMin } = timing;
  const { setStatus } = connection.getState();
  const stopping = new AbortController();
  const { signal } = stopping;
  const events = createEventQueue(platform.logFailure);
  /** Number of connects. Resyncs of earlier connections are ignored. */
  let round = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of polls in a row that have succeeded. */
  let polled = 0;
  const polling = createPolling({ platform, poll, timing });

  async function resyncWithRetry(current: number): Promise<void> {
    const isCurrent = (): boolean => current === round && socket.connected && !signal.aborted;
    try {
      await resync(false);
    } catch (error) {
      if (!isCurrent() || (error instanceof ApiError && error.code === 'unauthenticated')) return;
      timer = setTimeout(() => void resyncWithRetry(current), resyncRetryMin);
      return;
    }
    if (!isCurrent()) return;
    events.release();
    setStatus('online');
    deps.onReachable();
  }

  function setBroken(): void {
    if (!platform.isOnline()) {
      stopPolling();
      setStatus('offline');
      return;
    }
    polling.start();
    if (polled < POLLS_UNTIL_TOLD) setStatus('reconnecting');
  }

  async function poll(): Promise<void> {
    const current = round;
    const isCurrent = (): boolean => current === round && !socket.connected && !signal.aborted;
    try {
      await resync(true);
    } catch (error) {
      if (isCurrent()) {
        polled = 0;
        setBroken();
      }
      throw error;
    }
    if (!isCurrent()) return;
    polled += 1;
    if (polled >= POLLS_UNTIL_TOLD) setStatus('polling');
    if (polled === 1) deps.onReachable();
    else deps.onPolled();
  }

  function stopPolling(): void {
    polled = 0;
    polling.stop();
  }

  /** Connects. Some networks neither let websockets through nor refuse them, so changes are fetched meanwhile. */
  function connect(): void {
    socket.connect();
    if (platform.isOnline()) polling.start();
  }

  function connectLater(): void {
    clearTimeout(timer);
    timer = setTimeout(connect, resyncRetryMin);
  }

  socket.on('connect', () => {
    clearTimeout(timer);
    stopPolling();
    events.hold();
    round += 1;
    void resyncWithRetry(round);
  });
  socket.on('disconnect', (reason) => {
    if (signal.aborted) return;
    clearTimeout(timer);
    round += 1;
    events.hold();
    setBroken();
    // Socket.IO does not reconnect after the server closed the connection.
    if (reason === 'io server disconnect') {
      onRefused();
      connectLater();
    }
  });
  socket.on('connect_error', () => {
    if (signal.aborted) return;
    setBroken();
    // A poll notices the end of the session, too.
    if (polled === 0) onRefused();
    // Socket.IO retries failed connections, but not those that the server refused after the
    // handshake.
    if (!socket.active) connectLater();
  });
  const listeners = Object.entries(handlers as Record<string, (payload: unknown) => void>);
  for (const [name, handle] of listeners) {
    socket.on(name as keyof StoreEvents, (payload: unknown) =>
      events.receive(() => handle(payload)),
    );
  }
  socket.on('session-ended', ({ reason }) => onSessionEnded(reason));

  function reconnect(): void {
    if (signal.aborted) return;
    clearTimeout(timer);
    socket.disconnect();
    connect();
  }
  // After a network change, a dead connection looks alive until its next ping fails. A connection
  // to a local server may survive even without a network.
  const stopListening = platform.onNetworkChange(reconnect);

  connect();

  return {
    retry: () => {
      if (socket.connected) return;
      reconnect();
      polling.pollNow();
    },
    renew: reconnect,
    signal: (name, ...payload) => {
      if (socket.connected) socket.emit(name, ...payload);
    },
    stop: () => {
      stopping.abort();
      polling.stop();
      stopListening();
      clearTimeout(timer);
      socket.off();
      socket.disconnect();
    },
  };
}

/** A queue of live events. */
interface EventQueue {
  /** Applies an event, or queues it while events are held. */
  receive: (apply: () => void) => void;
  /** Discards the queued events and queues those that follow. */
  hold: () => void;
  /** Applies the queued events. Those that follow are applied immediately. */
  release: () => void;
}

/**
 * Creates a queue that holds events. A failure does not affect other events: the event counts as
 * missed, and the gap is detected when the next event arrives.
 */
function createEventQueue(logFailure: Platform['logFailure']): EventQueue {
  let waiting: (() => void)[] | undefined = [];

  function applySafely(apply: () => void): void {
    try {
      apply();
    } catch (error) {
      logFailure('applying a live event', error);
    }
  }

  return {
    receive: (apply) => {
      if (waiting) waiting.push(apply);
      else applySafely(apply);
    },
    hold: () => {
      waiting = [];
    },
    release: () => {
      for (const apply of waiting ?? []) applySafely(apply);
      waiting = undefined;
    },
  };
}

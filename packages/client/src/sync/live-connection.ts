import type { ClientSignals, PayloadHandlers, SessionEndReason } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import { ApiError } from '../api/client.ts';
import type { ClientCore } from '../client-core.ts';
import type { Platform } from '../platform.ts';
import type { ConnectionState } from '../stores/connection.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import type { Resync } from './client-resync.ts';
import type { StoreEvents } from './event-handlers.ts';
import { createPolling } from './polling.ts';
import type { ClientSocket } from './socket.ts';

/** The live connection. It runs until the signal is aborted. */
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
}

interface LiveConnectionDeps extends Pick<ClientCore, 'signal'> {
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
 * Connects and keeps the connection alive. After each connect, it fetches missed changes first and queues live events
 * until then, so that chatrooms never miss, duplicate or reorder messages. While only the live connection fails, as
 * behind a proxy that blocks websockets, it fetches changes at intervals.
 */
export function startLiveConnection(deps: LiveConnectionDeps): LiveConnection {
  const { platform, connection, socket, signal, handlers, resync, onRefused } = deps;
  const { onSessionEnded, timing = DEFAULT_TIMING } = deps;
  const { setStatus } = connection.getState();
  /** Live events that wait for a resync. Undefined while they are applied immediately. */
  let held: (() => void)[] | undefined = [];
  /** Number of connects and disconnects. The outcome of an earlier resync or poll is ignored. */
  let round = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Number of polls in a row that have succeeded. */
  let polled = 0;
  const polling = createPolling({ platform, poll, timing });

  /** Applies an event. After a failure it counts as missed: the next event reveals the gap. */
  function applySafely(apply: () => void): void {
    try {
      apply();
    } catch (error) {
      platform.logFailure('applying a live event', error);
    }
  }

  async function resyncWithRetry(): Promise<void> {
    const current = round;
    try {
      await resync(false);
    } catch (error) {
      if (current !== round) return;
      if (error instanceof ApiError && error.code === 'unauthenticated') return;
      timer = setTimeout(() => void resyncWithRetry(), timing.resyncRetryMin);
      return;
    }
    if (current !== round) return;
    for (const apply of held ?? []) applySafely(apply);
    held = undefined;
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
    try {
      await resync(true);
    } catch (error) {
      if (current === round) {
        polled = 0;
        setBroken();
      }
      throw error;
    }
    if (current !== round) return;
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
    timer = setTimeout(connect, timing.resyncRetryMin);
  }

  socket.on('connect', () => {
    clearTimeout(timer);
    stopPolling();
    held = [];
    round += 1;
    void resyncWithRetry();
  });
  socket.on('disconnect', (reason) => {
    clearTimeout(timer);
    round += 1;
    held = [];
    setBroken();
    // Socket.IO does not reconnect after the server closed the connection.
    if (reason === 'io server disconnect') {
      onRefused();
      connectLater();
    }
  });
  socket.on('connect_error', () => {
    setBroken();
    // A poll notices the end of the session, too.
    if (polled === 0) onRefused();
    // Socket.IO retries failed connections, but not those that the server refused after the handshake.
    if (!socket.active) connectLater();
  });
  const listeners = Object.entries(handlers as Record<string, (payload: unknown) => void>);
  for (const [name, handle] of listeners) {
    socket.on(name as keyof StoreEvents, (payload: unknown) => {
      const apply = (): void => handle(payload);
      if (held) held.push(apply);
      else applySafely(apply);
    });
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

  signal.addEventListener('abort', () => {
    round += 1;
    polling.stop();
    stopListening();
    clearTimeout(timer);
    socket.off();
    socket.disconnect();
  });
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
  };
}

import type { SessionEndReason } from '@parley/contract';
import type { StoreApi } from 'zustand/vanilla';
import { ApiError } from '../api/client.ts';
import type { Platform } from '../platform.ts';
import type { ConnectionState } from '../stores/connection.ts';
import { DEFAULT_TIMING, type ClientTiming } from '../timing.ts';
import type { StoreEvents } from './event-handlers.ts';
import type { LiveSocket } from './socket.ts';

/** The live connection: from `startLiveConnection` until `stop`. */
export interface LiveConnection {
  /** Tries to connect now instead of after the backoff. */
  retry: () => void;
  /** Connects anew, also where the connection looks alive. */
  renew: () => void;
  stop: () => void;
}

interface LiveConnectionDeps {
  platform: Pick<Platform, 'isOnline' | 'onNetworkChange' | 'logFailure'>;
  connection: StoreApi<ConnectionState>;
  socket: LiveSocket;
  handlers: StoreEvents;
  /** Fetches what was missed. Rejects with an `ApiError`. */
  resync: () => Promise<void>;
  /** Everything missed is there and events flow again. */
  onLive: () => void;
  /** The socket could not connect: perhaps the session is over. */
  onRefused: () => void;
  onSessionEnded: (reason: SessionEndReason) => void;
  timing?: Pick<ClientTiming, 'resyncRetryMin'>;
}

/**
 * Connects and keeps connected. After each connect it first fetches what was missed; events that
 * arrive meanwhile wait, so that a room never misses, doubles or reorders a message.
 */
export function startLiveConnection(deps: LiveConnectionDeps): LiveConnection {
  const { platform, connection, socket, handlers, resync, onLive, onRefused, onSessionEnded } =
    deps;
  const { resyncRetryMin } = deps.timing ?? DEFAULT_TIMING;
  const { setStatus } = connection.getState();
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Events that wait for the resync; undefined while events are applied at once. */
  let waiting: (() => void)[] | undefined = [];
  /** Counts connects: a response to an earlier one is void. */
  let round = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function receive(apply: () => void): void {
    if (waiting) waiting.push(apply);
    else applySafely(apply);
  }

  /** An event that makes no sense here counts as missed, which the next one shows; it must not stop the others. */
  function applySafely(apply: () => void): void {
    try {
      apply();
    } catch (error) {
      platform.logFailure('applying a live event', error);
    }
  }

  async function catchUp(current: number): Promise<void> {
    const isCurrent = (): boolean => current === round && socket.connected && !signal.aborted;
    try {
      await resync();
    } catch (error) {
      if (!isCurrent() || (error instanceof ApiError && error.code === 'unauthenticated')) return;
      timer = setTimeout(() => void catchUp(current), resyncRetryMin);
      return;
    }
    if (!isCurrent()) return;
    for (const apply of waiting ?? []) applySafely(apply);
    waiting = undefined;
    setStatus('online');
    onLive();
  }

  function setBroken(): void {
    setStatus(platform.isOnline() ? 'reconnecting' : 'offline');
  }

  function connectLater(): void {
    clearTimeout(timer);
    timer = setTimeout(() => socket.connect(), resyncRetryMin);
  }

  socket.on('connect', () => {
    clearTimeout(timer);
    waiting = [];
    round += 1;
    void catchUp(round);
  });
  socket.on('disconnect', (reason) => {
    if (signal.aborted) return;
    clearTimeout(timer);
    round += 1;
    waiting = [];
    setBroken();
    // The library does not reconnect by itself when the server closed the connection.
    if (reason === 'io server disconnect') {
      onRefused();
      connectLater();
    }
  });
  socket.on('connect_error', () => {
    if (signal.aborted) return;
    setBroken();
    onRefused();
    // The library retries a failed connection, but not one that the server refused after the handshake.
    if (!socket.active) connectLater();
  });
  socket.on('message', (message) => receive(() => handlers.message(message)));
  socket.on('message-update', (event) => receive(() => handlers['message-update'](event)));
  socket.on('message-delete', (event) => receive(() => handlers['message-delete'](event)));
  socket.on('chat-read', (event) => receive(() => handlers['chat-read'](event)));
  socket.on('partner-deleted', (event) => receive(() => handlers['partner-deleted'](event)));
  socket.on('settings', (event) => receive(() => handlers.settings(event)));
  socket.on('session-ended', ({ reason }) => onSessionEnded(reason));

  function reconnect(): void {
    if (signal.aborted) return;
    clearTimeout(timer);
    socket.disconnect();
    socket.connect();
  }
  // A socket that lived through a break of the network looks alive until its next ping fails; one to a
  // server on this machine may live on without any network.
  const stopListening = platform.onNetworkChange(reconnect);

  socket.connect();

  return {
    retry: () => {
      if (!socket.connected) reconnect();
    },
    renew: reconnect,
    stop: () => {
      stopping.abort();
      stopListening();
      clearTimeout(timer);
      socket.off();
      socket.disconnect();
    },
  };
}

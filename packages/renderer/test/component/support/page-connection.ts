import type { LiveListener, MemoryBrowser } from '@parley/memory-server';
import { vi } from 'vitest';

/** A browser whose connection can be cut, while other browsers still reach the server. */
export interface CuttableBrowser extends MemoryBrowser {
  /** Tells the page, too. Without a connection, requests fail and the live connection is closed. */
  setOnline: (isOnline: boolean) => void;
  /** Lets the network pass HTTP only: the live connection is closed, and others are refused. */
  setLiveBlocked: (isBlocked: boolean) => void;
  /** Lets the live connection die without a sign, as that of a computer that sleeps. */
  loseLiveConnection: () => void;
  /** Lets the page see its own connection again. */
  restore: () => void;
}

/** Creates a browser that is online and sends everything through another one. */
export function createCuttableBrowser(browser: MemoryBrowser): CuttableBrowser {
  const listeners = new Set<LiveListener>();
  let isOnline = true;
  let isLiveBlocked = false;
  const closeAll = (): void => {
    for (const listener of listeners) listener.onClose();
    listeners.clear();
  };
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  return {
    fetch: async (...request) => {
      if (!isOnline) throw new TypeError('Failed to fetch');
      return browser.fetch(...request);
    },
    connect: (listener) => {
      if (!isOnline || isLiveBlocked) return undefined;
      const connection = browser.connect({
        onEvent: (event) => {
          if (listeners.has(listener)) listener.onEvent(event);
        },
        onClose: () => {
          if (listeners.delete(listener)) listener.onClose();
        },
      });
      if (connection) listeners.add(listener);
      return connection;
    },
    setOnline: (next) => {
      isOnline = next;
      if (!isOnline) closeAll();
      window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
    },
    setLiveBlocked: (isBlocked) => {
      isLiveBlocked = isBlocked;
      if (isBlocked) closeAll();
    },
    loseLiveConnection: () => listeners.clear(),
    restore: () => onLine.mockRestore(),
  };
}

import { createMemoryStorageArea, type Platform, type TabChannel } from '@parley/client';
import { logFailure } from '../logging/log-failure.ts';
import { hadGesture } from '../sounds/first-gesture.ts';
import { browserStorage } from './local-record.ts';
import { isPageAttended } from './page-attended.ts';
import { tabLocks } from './tab-locks.ts';
import { uploadMedia } from './upload-media.ts';

/** What the headless client needs of the page it runs in. */
export const browserPlatform: Platform = {
  storage: browserStorage,
  openStorage: async () => createMemoryStorageArea().open(),
  locks: tabLocks,
  openChannel,
  isAttended: isPageAttended,
  canPlaySounds: hadGesture,
  isOnline: () => navigator.onLine,
  onNetworkChange: (listener) => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('online', listener, { signal });
    window.addEventListener('offline', listener, { signal });
    return () => listening.abort();
  },
  upload: uploadMedia,
  createPreviewUrl: (file) => URL.createObjectURL(file),
  revokePreviewUrl: (url) => URL.revokeObjectURL(url),
  logFailure,
};

function openChannel(name: string, listener: (text: string) => void): TabChannel {
  if (typeof BroadcastChannel !== 'function') {
    return { post: () => undefined, close: () => undefined };
  }
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') listener(data);
  });
  return { post: channel.postMessage.bind(channel), close: () => channel.close() };
}

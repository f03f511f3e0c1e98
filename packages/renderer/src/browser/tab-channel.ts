import type { TabChannel } from '@parley/client';

/** Opens a channel to the other tabs. Does nothing in old browsers without `BroadcastChannel`. */
export function openTabChannel(name: string, listener: (text: string) => void): TabChannel {
  if (typeof BroadcastChannel !== 'function') {
    return { post: () => undefined, close: () => undefined };
  }
  const channel = new BroadcastChannel(name);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') listener(data);
  });
  return { post: channel.postMessage.bind(channel), close: () => channel.close() };
}

import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { isLoadedIntoMemory, type MediaMemory } from './media-memory.ts';

/** The uploads in memory, provided by `ClientProvider`. */
export const MediaMemoryContext = createContext<MediaMemory | undefined>(undefined);

/** Returns the uploads in memory. Must be used inside `ClientProvider`. */
export function useMediaMemory(): MediaMemory {
  const memory = useContext(MediaMemoryContext);
  if (!memory) throw new Error('useMediaMemory needs a ClientProvider above it');
  return memory;
}

/** How an element gets an upload. */
interface MediaSource {
  /** Undefined until it is loaded. */
  src: string | undefined;
  /** The first frame of an animation that is only played on demand. */
  stillSrc: string | undefined;
  hasFailed: boolean;
  /** Why it has failed. */
  error: unknown;
}

/**
 * Loads an upload and keeps it in memory while it is wanted.
 * @param getStill resolves to the first frame of an animation that is only played on demand; the same function each time
 */
export function useMediaSource(
  url: string,
  isWanted: boolean,
  getStill?: (file: Blob) => Promise<Blob | undefined>,
): MediaSource {
  const memory = useMediaMemory();
  const isInMemory = isLoadedIntoMemory(url);
  const isHeld = isInMemory && isWanted;
  const hold = useCallback(
    (onChange: () => void) => (isHeld ? memory.hold(url, onChange, getStill) : () => undefined),
    [memory, url, isHeld, getStill],
  );
  const file = useSyncExternalStore(hold, () => (isHeld ? memory.find(url) : undefined));
  return {
    src: isInMemory ? file?.src : url,
    stillSrc: file?.stillSrc,
    hasFailed: file?.state === 'failed',
    error: file?.error,
  };
}

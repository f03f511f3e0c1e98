import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { isLoadedIntoMemory, type ImageSource, type MediaMemory } from './media-memory.ts';

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
 * @param image how it is loaded if it is an image; the same object until that changes
 */
export function useMediaSource(url: string, isWanted: boolean, image?: ImageSource): MediaSource {
  const memory = useMediaMemory();
  const isInMemory =
    isLoadedIntoMemory(url) ||
    (image?.ownUrl ?? image?.file) !== undefined ||
    memory.find(url) !== undefined;
  const isHeld = isInMemory && isWanted;
  const hold = useCallback(
    (onChange: () => void) => (isHeld ? memory.hold(url, onChange, image) : () => undefined),
    [memory, url, isHeld, image],
  );
  const file = useSyncExternalStore(hold, () => (isHeld ? memory.find(url) : undefined));
  return {
    src: isInMemory ? file?.src : url,
    stillSrc: file?.stillSrc,
    hasFailed: file?.state === 'failed',
    error: file?.error,
  };
}

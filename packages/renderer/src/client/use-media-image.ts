import { useCallback, useMemo, useState, type ComponentProps } from 'react';
import { useMediaUrl, useOwnMediaUrl } from '../format/use-media-url.ts';
import { drawStill } from './draw-still.ts';
import { isLoadedIntoMemory } from './media-memory.ts';
import { useMediaSource, useMediaMemory } from './media-memory-context.ts';
import { useOnReconnect } from './use-on-reconnect.ts';

/** An uploaded image on the page. */
export interface MediaImage {
  state: 'loading' | 'ready' | 'broken';
  /** Whether it is the first frame of an animation that is only played on demand. */
  isStill: boolean;
  /** The attributes of its `<img>`. */
  attributes: Pick<ComponentProps<'img'>, 'ref' | 'src' | 'decoding' | 'onLoad' | 'onError'>;
}

/** The extensions of images that can be animations. */
const ANIMATED_EXTENSION = /^https:.*\.(?:gif|png|webp)$/i;

/** How close to the visible area images are loaded. */
const NEAR = '1000px';

interface MediaImageOptions {
  /** Whether it is loaded only while it is near the visible area, which is the default. */
  isLazy?: boolean;
  /** Whether the user wants to see it play even if it is a long animation. */
  isPlayed?: boolean;
  /** The image itself if this device has sent it. */
  file?: Blob | undefined;
}

/** Loads the image of a message, and again after a reconnect if that failed. */
export function useMediaImage(
  content: string,
  { isLazy = true, isPlayed = false, file }: MediaImageOptions = {},
): MediaImage {
  const memory = useMediaMemory();
  const url = useMediaUrl(content);
  const ownUrl = useOwnMediaUrl(content);
  const image = useMemo(() => {
    const isForeign = !isLoadedIntoMemory(url) && ANIMATED_EXTENSION.test(url);
    return { getStill: drawStill, ownUrl: isForeign ? ownUrl : undefined, file };
  }, [url, ownUrl, file]);
  const [ref, isNear] = useIsNear(() => memory.find(url) !== undefined);
  const isWanted = isNear || !isLazy;
  const { src: wholeSrc, stillSrc, hasFailed } = useMediaSource(url, isWanted, image);
  const isStill = stillSrc !== undefined && !isPlayed;
  const src = isStill ? stillSrc : wholeSrc;
  /** What the element has last reported, and of which source. */
  const [shown, setShown] = useState<{ src: string | undefined; state: 'ready' | 'broken' }>();
  useOnReconnect(() => {
    setShown((now) => (now?.state === 'broken' ? undefined : now));
    memory.retry(url);
  });
  const isKnown = src !== undefined && shown?.src === src;
  const state = isKnown ? shown.state : 'loading';
  return {
    state: hasFailed ? 'broken' : state,
    isStill,
    attributes: {
      ref,
      src: isWanted ? src : undefined,
      decoding: 'async',
      onLoad: () => setShown({ src, state: 'ready' }),
      onError: () => setShown({ src, state: 'broken' }),
    },
  };
}

/** Returns whether an element is near the visible area. The initial value applies until that is known. */
function useIsNear(getInitial: () => boolean) {
  const [isNear, setIsNear] = useState(getInitial);
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setIsNear(entries.at(-1)?.isIntersecting === true),
      // The second margin is for the areas that scroll in the window.
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, isNear] as const;
}

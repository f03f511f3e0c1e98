import { useEffect, useState } from 'react';
import css from './EmojiImage.module.css';

interface EmojiImageProps {
  emoji: string;
  url: string;
}

const loadedUrls = new Set<string>();

/**
 * An emoji displayed as an image. It stays text for copying, searching and screen readers, and is displayed
 * as text until the image is loaded.
 */
export function EmojiImage({ emoji, url }: EmojiImageProps) {
  const isImageLoaded = useIsLoaded(url);
  return (
    <span
      className={css.picture}
      data-drawn={isImageLoaded || undefined}
      style={isImageLoaded ? { backgroundImage: `url("${url}")` } : undefined}
    >
      <span>{emoji}</span>
    </span>
  );
}

function useIsLoaded(url: string): boolean {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    if (loadedUrls.has(url)) return undefined;
    const image = new Image();
    image.addEventListener('load', () => {
      loadedUrls.add(url);
      setShown(url);
    });
    image.src = url;
    return () => {
      image.src = '';
    };
  }, [url]);
  return shown === url || loadedUrls.has(url);
}

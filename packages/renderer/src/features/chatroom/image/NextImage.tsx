import { useMediaImage } from '../../../client/use-media-image.ts';
import type { ChatImage } from './chat-image.ts';

/** Loads an image that the user may open next, without showing it. */
export function NextImage({ image }: { image: ChatImage }) {
  return image.isBlocked ? null : <LoadedImage content={image.content} />;
}

function LoadedImage({ content }: { content: string }) {
  const { attributes } = useMediaImage(content, { isLazy: false, isPlayed: true });
  // Style sheets override the attribute `hidden` of images.
  return <img {...attributes} alt="" style={{ display: 'none' }} />;
}

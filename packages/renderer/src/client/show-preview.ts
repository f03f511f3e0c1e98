import { drawStill } from './draw-still.ts';

/**
 * Shows an image from this device in an element, and only the first frame of a long animation. Returns a function that
 * ends that.
 */
export function showPreview(element: HTMLImageElement, file: Blob): () => void {
  let url: string | undefined;
  let hasEnded = false;
  const show = async (): Promise<void> => {
    const still = await drawStill(file);
    if (hasEnded) return;
    url = URL.createObjectURL(still ?? file);
    element.src = url;
  };
  void show();
  return () => {
    hasEnded = true;
    if (url !== undefined) URL.revokeObjectURL(url);
  };
}

import { page, type Locator } from 'vitest/browser';

/**
 * Keeps the page from being painted, which takes an eighth of the CPU time of the tests. It is rendered, laid out and
 * operated as before.
 */
export function hidePage(): void {
  setOpacity('0');
}

/** Returns a picture of an element, or else of the page. */
export async function takePagePicture(element?: Locator): Promise<ImageBitmap> {
  setOpacity('');
  const shot = await page.screenshot({ ...(element && { element }), save: false });
  hidePage();
  const response = await fetch(`data:image/png;base64,${shot}`);
  return createImageBitmap(await response.blob());
}

function setOpacity(value: string): void {
  // It is an element of another window.
  const frame = window.frameElement as HTMLElement | null;
  if (!frame) throw new Error('The tests do not run in a frame');
  frame.style.opacity = value;
}

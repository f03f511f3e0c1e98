import { expect, type Locator } from 'playwright/test';

/** Returns whether a part of the first element that a locator finds is in the viewport. */
function isInViewport(target: Locator): Promise<boolean> {
  return target.evaluateAll(([element]) =>
    element === undefined
      ? false
      : new Promise<boolean>((resolve) => {
          const observer = new IntersectionObserver(([entry]) => {
            observer.disconnect();
            resolve(entry?.isIntersecting === true);
          });
          observer.observe(element);
        }),
  );
}

/**
 * Turns the mouse wheel, over what the pointer is above, until an element is in the viewport.
 * @param dy pixels of each step; negative values scroll up
 * @param onStep called at each position
 */
export async function scrollUntilVisible(
  target: Locator,
  dy: number,
  onStep = async () => {},
): Promise<void> {
  const scroll = async (): Promise<boolean> => {
    await onStep();
    if (await isInViewport(target)) return true;
    await target.page().mouse.wheel(0, dy);
    return false;
  };
  // Loading what is above may take long.
  await expect.poll(scroll, { intervals: [50], timeout: 120_000 }).toBe(true);
}

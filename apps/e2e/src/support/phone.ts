import { expect, type CDPSession, type Locator, type Page } from 'playwright/test';

/** The options of a page on a phone. */
export const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} as const;

/** Sizes of phones in portrait, in CSS pixels. */
export const PHONE_SIZES = [
  { width: 360, height: 640 },
  { width: 375, height: 667 },
  { width: 390, height: 844 },
  { width: 430, height: 932 },
] as const;

/** Longer than a tap. Milliseconds. */
const LONG_PRESS_MS = 600;

/** Holds a finger on an element for as long as a long press takes. */
export async function longPress(target: Locator): Promise<void> {
  const page = target.page();
  const { x = 0, y = 0, width = 0, height = 0 } = (await target.boundingBox()) ?? {};
  const point = { x: x + width / 2, y: y + height / 2 };
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
  await new Promise((resolve) => setTimeout(resolve, LONG_PRESS_MS));
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await touch.detach();
}

/** Sets the areas of the window that the device covers. */
export async function setSafeArea(
  page: Page,
  insets: { top: number; right: number; bottom: number; left: number },
): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
  return session;
}

/** Expects the page not to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const { scroll, window } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    window: innerWidth,
  }));
  expect(scroll, name).toBeLessThanOrEqual(window);
}

/** Expects a control to be large enough for a finger. */
export async function expectFingerSize(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const { width = 0, height = 0 } = (await target.boundingBox()) ?? {};
  expect(Math.round(width), `width of ${String(target)}`).toBeGreaterThanOrEqual(44);
  expect(Math.round(height), `height of ${String(target)}`).toBeGreaterThanOrEqual(44);
}

import { createTranslator } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageWith } from './support/locators.ts';
import { createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('de');
const NAME = 'Wwwwwwwwwwwwwwwwwwww';

/** Expects the date in an element to stand in the same line as the partner's name, and both to be visible. */
async function expectDateBesideName(container: Locator): Promise<void> {
  const time = container.getByCss('time').first();
  await expect.element(time).toMatchTextContent(/\d{4}, \d{2}:\d{2}$/);
  await expect.element(time).toBeInViewport({ ratio: 1 });
  const name = container.getByCss('bdi').filter({ hasText: NAME }).first();
  const [left, right] = [name, time].map((each) => each.element().getBoundingClientRect());
  expect(left?.width).toBeGreaterThan(40);
  expect(right?.left).toBeGreaterThanOrEqual(left?.right ?? 0);
  expect(Math.abs((right?.bottom ?? 0) - (left?.bottom ?? 0))).toBeLessThan(8);
}

test('a long name leaves the date in its line, in found messages and the gallery (320 pixels)', async () => {
  const server = createServerWith(['Alice', NAME], 'de');
  const room = await createChatBetween(server, [NAME, 'Alice'], 'Bis gleich am See!');
  await sendMediaAs(server, NAME, room, createRecordingFile(2));
  const viewport = { width: 320, height: 700 };
  const { reload } = await openApp({ server, user: 'Alice', language: 'de', viewport });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 24 * 60 * 60_000 });
  await reload('/chatarea');
  await page.getByRole('searchbox', { name: t('search.label') }).fill('gleich');
  const found = page.getByRole('link').filter({ hasText: 'Bis gleich am See!' }).last();
  await expectDateBesideName(found);

  await reload(`/chatarea/chats/${room}/media?kind=audio`);
  await expectDateBesideName(page.getByCss('li').filter({ hasText: NAME }));
});

test('a long name stays in the first line of a chatroom header (320 pixels)', async () => {
  const server = createServerWith(['Alice', 'Bo', NAME]);
  const heights: number[] = [];
  for (const partner of ['Bo', NAME]) {
    const room = await createChatBetween(server, [partner, 'Alice'], 'Hello');
    await sendTextAs(server, 'Alice', room, 'Hi');
    const viewport = { width: 320, height: 700 };
    await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}`, viewport });
    await expect.element(messageWith('Hi')).toBeVisible();
    const header = page.getByCss('[data-screen-header]');
    await expect.element(header.getByRole('heading')).toBeInViewport({ ratio: 1 });
    heights.push(header.element().clientHeight);
    expect(header.element().scrollWidth).toBe(320);
  }
  expect(heights[1]).toBe(heights[0]);
});

import { chatRow } from './support/chat.ts';
import { registerOverHttp, sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');
const PARTNER_COUNT = 8;

test('the chat list is cached, ends above its button, shows long names and is a single tab stop', async ({
  server,
  newPage,
}) => {
  const page = await newPage({ viewport: { width: 360, height: 480 } });
  await signInOverHttp(page, server, 'Alice');
  for (let i = 1; i <= PARTNER_COUNT; i += 1) {
    await registerOverHttp(server, `Partner-number-${i}`);
    await sendOverHttp(page, `Partner-number-${i}`, `Hello ${i}`);
  }

  await test.step('the server responds to the second request with 304 Not Modified', async () => {
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/api/chatrooms/chats')) statuses.push(response.status());
    });
    await page.goto('/chatarea');
    // The client loads the list when it starts, and again once its live connection is open.
    await expect.poll(() => statuses).toEqual([200, 304]);
    await expect(chatRow(page, 'Partner-number-8')).toBeVisible();
  });

  await test.step('the list ends above the button that finds a user', async () => {
    const buttonBox = await page.getByRole('link', { name: t('chatList.add') }).boundingBox();
    const rows = page.locator('[data-chat]');
    const listBottom = await page.locator('ul:has([data-chat])').evaluate((list) => {
      const { bottom } = list.parentElement?.getBoundingClientRect() ?? { bottom: Infinity };
      return bottom;
    });
    expect(await rows.count()).toBeGreaterThan(3);
    expect(listBottom).toBeLessThanOrEqual(buttonBox?.y ?? 0);
  });

  await test.step('a long name is not truncated, and the time beside it has a lighter font weight', async () => {
    const row = chatRow(page, 'Partner-number-8');
    const { isNameTruncated, nameWeight, timeWeight } = await row.evaluate((element) => {
      const nameBox = element.querySelector('bdi')?.parentElement;
      const timeBox = element.querySelector('time');
      const weight = (box: Element | null | undefined) =>
        Number(box ? getComputedStyle(box).fontWeight : NaN);
      return {
        isNameTruncated: (nameBox?.scrollWidth ?? 0) > (nameBox?.clientWidth ?? 0),
        nameWeight: weight(nameBox),
        timeWeight: weight(timeBox),
      };
    });
    expect(isNameTruncated).toBe(false);
    expect(timeWeight).toBeLessThan(nameWeight);
  });

  await test.step('Tab stops once in the list, at the focused row', async () => {
    await chatRow(page, 'Partner-number-8').focus();
    await page.keyboard.press('ArrowDown');
    await expect(chatRow(page, 'Partner-number-7')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: t('chatList.add') })).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(chatRow(page, 'Partner-number-7')).toBeFocused();
  });
});

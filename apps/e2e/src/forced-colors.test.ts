import type { Locator } from 'playwright/test';
import { chatRow } from './support/chat.ts';
import { createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

/** Returns the background color of an element and that of the page. In forced colors, most elements get the latter. */
function backgrounds(element: Locator, pseudo?: string): Promise<{ own: string; page: string }> {
  return element.first().evaluate(
    (node, pseudo) => ({
      own: getComputedStyle(node, pseudo).backgroundColor,
      page: getComputedStyle(document.documentElement).backgroundColor,
    }),
    pseudo,
  );
}

async function expectToStandOut(element: Locator, pseudo?: string): Promise<void> {
  await expect(element.first()).toBeAttached();
  const { own, page } = await backgrounds(element, pseudo);
  expect(own).not.toBe(page);
  expect(own).not.toBe('rgba(0, 0, 0, 0)');
}

test('waveforms, the selected chat, badges and menus are visible in forced colors @long', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'nothing' });
  const { page } = alice;
  await sendFile(bob.page, room, 'audio', createWav(3));
  await page.emulateMedia({ forcedColors: 'active' });

  const player = page.getByRole('group', { name: t('audio.partner', { name: 'Bob' }) });
  const bars = player.locator('span[style*="height"]');
  await expectToStandOut(bars);
  const unplayed = await backgrounds(bars);
  await player.getByRole('slider').fill('2');
  await expect(bars.first()).toHaveAttribute('data-played', 'true');
  expect((await backgrounds(bars)).own).not.toBe(unplayed.own);

  const row = chatRow(page, 'Bob');
  await expect(row).toHaveAttribute('aria-current', 'page');
  await expectToStandOut(row, '::before');

  await page.goto('/chatarea');
  await sendOverHttp(bob.page, 'Alice', 'Are you there?');
  await expectToStandOut(row.getByText('1', { exact: true }).locator('..'));

  await page.goto('/settings');
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  await expect(page.getByRole('menu')).toHaveCSS('border-width', '1px');
  await page.keyboard.press('ArrowDown');
  const item = page.locator('[role=menuitem]:focus');
  await expect(item).not.toHaveCSS('outline-style', 'none');
});

test('the login page has visible background shapes and field borders in forced colors', async ({
  newPage,
}) => {
  const page = await newPage();
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/');
  const shapes = page.locator('svg path[fill^="url"]');
  await expect(shapes).toHaveCount(2);
  await expect(shapes.first()).toBeVisible();
  await expect(shapes.first()).not.toHaveCSS('stroke', 'none');
  const field = page.getByLabel(t('field.email'), { exact: true });
  await expect(field).toHaveCSS('border-width', '1px');
});

import { randomFillSync } from 'node:crypto';
import { encodePng } from '@parley/testing';
import { sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { chatRow, message, messages, sendText, textBox } from './support/chat.ts';
import { chooseImages } from './support/media.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const THUMB = '👍';
const t = createTranslator('en');

test('edits, deletions, reactions and blocks that were made offline survive a reload and are sent', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const carla = await newPage();
  await signInOverHttp(carla, server, 'Carla');
  await sendOverHttp(carla, 'Alice', 'Hello Alice!');
  await sendText(page, 'A mistake');
  await sendText(page, 'A secret');
  await expect(message(bob.page, 'A secret')).toBeVisible();
  await sendText(bob.page, 'Is that so?');
  await chatRow(page, 'Carla').click();
  await expect(message(page, 'Hello Alice!')).toBeVisible();
  const confirmation = page.getByRole('alertdialog');
  const openBlockDialog = async () => {
    await page.getByRole('button', { name: t('room.menu') }).click();
    await page.getByRole('menuitem', { name: t('room.block') }).click();
    await expect(confirmation).toBeVisible();
  };
  // Without a service worker, the dialog must be loaded before.
  await openBlockDialog();
  await page.keyboard.press('Escape');
  await chatRow(page, 'Bob').click();

  await page.context().setOffline(true);
  await expect(page.getByText(t('connection.offline'))).toBeVisible();
  const row = (text: string) => page.getByRole('article').filter({ has: message(page, text) });
  await row('A mistake')
    .getByRole('button', { name: t('message.edit') })
    .click();
  await textBox(page).fill('Corrected');
  await textBox(page).press('Enter');
  await expect(message(page, 'Corrected')).toBeVisible();
  await row('A secret')
    .getByRole('button', { name: t('message.delete') })
    .click();
  await confirmation.getByRole('button', { name: t('app.delete') }).click();
  await expect(message(page, 'A secret')).toHaveCount(0);
  await message(page, 'Is that so?').click({ button: 'right', position: { x: 12, y: 12 } });
  const quick = t('reaction.react', { emoji: THUMB });
  await page.getByRole('menuitemcheckbox', { name: quick, exact: true }).click();
  const chip = t('reaction.chip', { emoji: THUMB, who: t('reaction.you') });
  await expect(page.getByRole('button', { name: chip })).toBeVisible();
  await chatRow(page, 'Carla').click();
  await openBlockDialog();
  await confirmation.getByRole('button', { name: t('request.block'), exact: true }).click();
  await expect(chatRow(page, 'Carla')).toHaveCount(0);

  // The page, too, loads again only with a connection.
  await page.reload().catch(() => undefined);
  await page.context().setOffline(false);
  await goToChatroom(page, room);
  await expect(message(bob.page, 'Corrected')).toBeVisible();
  await expect(message(bob.page, 'A secret')).toHaveCount(0);
  const seen = t('reaction.chip', { emoji: THUMB, who: 'Alice' });
  await expect(bob.page.getByRole('button', { name: seen })).toBeVisible();
  await expect(messages(page)).toHaveText([/Hello Bob!/, /Corrected/, /Is that so\?/]);
  await sendOverHttp(carla, 'Alice', 'Are you there?');
  await expect(chatRow(page, 'Carla')).toHaveCount(0);
  await page.goto('/settings');
  await expect(page.getByRole('link', { name: 'Carla' })).toBeVisible();
});

test('a large upload on a slow line delays no other chat, no block and no read position', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const carla = await newPage();
  await signInOverHttp(carla, server, 'Carla');
  await sendOverHttp(carla, 'Alice', 'Hello Alice!');
  await chatRow(page, 'Carla').click();
  await sendText(page, 'Hello Carla!');
  await chatRow(page, 'Bob').click();

  const line = await page.context().newCDPSession(page);
  const speed = { latency: 0, downloadThroughput: -1 };
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', {
    ...speed,
    offline: false,
    uploadThroughput: 100 * 1_024,
  });
  const [width, height] = [1_800, 1_800];
  const noise = encodePng(
    width,
    height,
    'rgb',
    randomFillSync(Buffer.alloc(height * (width * 3 + 1))),
  );
  await chooseImages(page, { name: 'large.png', mimeType: 'image/png', buffer: noise });
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(page.locator('article progress')).toHaveCount(1);

  await sendText(bob.page, 'Do you read me?');
  await expect(message(page, 'Do you read me?')).toBeVisible();
  const ticks = message(bob.page, 'Do you read me?').locator('[data-delivery]');
  await expect(ticks).toHaveAttribute('data-delivery', 'read');
  await chatRow(page, 'Carla').click();
  await sendText(page, 'Sent meanwhile');
  await expect(message(page, 'Sent meanwhile')).toHaveAttribute('data-state', 'sent');
  await page.getByRole('button', { name: t('room.menu') }).click();
  await page.getByRole('menuitem', { name: t('room.block') }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: t('request.block'), exact: true }).click();
  const blocked = async (): Promise<number> => {
    const response = await page.request.get('/api/chatrooms/blocked');
    return ((await response.json()) as { blocked: unknown[] }).blocked.length;
  };
  await expect.poll(blocked).toBe(1);

  await chatRow(page, 'Bob').click();
  await expect(page.locator('article progress')).toHaveCount(1);
  await line.send('Network.emulateNetworkConditions', {
    ...speed,
    offline: false,
    uploadThroughput: -1,
  });
  const image = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  await expect(image).toBeVisible();
});

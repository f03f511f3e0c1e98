import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { sendTextAs } from './support/act-as.ts';
import { findImageViewer } from './support/image-viewer-dialog.ts';
import { messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

const t = createTranslator('en');

/** Expects a control to have a visible border, as its fill is invisible in forced colors. */
async function expectEdge(control: Locator): Promise<void> {
  await expect.element(control).toBeVisible();
  const { borderTopWidth, borderTopStyle } = getComputedStyle(control.element());
  expect({ borderTopWidth, borderTopStyle }).toEqual({
    borderTopWidth: expect.stringMatching(/^[12]px$/),
    borderTopStyle: 'solid',
  });
}

test('the unread line and the edges of buttons are visible in forced colors', async () => {
  const { server, room, path, reload } = await openChatOf('Bob', { forcedColors: true });
  await reload('/chatarea');
  await expectEdge(page.getByRole('link', { name: t('findUser.open') }).first());
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await sendMediaAs(server, 'Alice', room, await createImageFile(300, 200));
  await sendTextAs(server, 'Alice', room, 'Are you there?');
  await reload(path);
  await expect.element(messageWith('Are you there?')).toBeVisible();
  const line = page.getByText(t('room.newMessages'), { exact: true });
  await expect.element(line).toBeVisible();
  const text = getComputedStyle(line.element()).color;
  for (const side of ['::before', '::after']) {
    const { backgroundColor, height } = getComputedStyle(line.element(), side);
    expect({ backgroundColor, height }).toEqual({ backgroundColor: text, height: '1px' });
  }

  await expectEdge(page.getByRole('button', { name: t('composer.send'), exact: true }));
  pickFiles(await createImageFile(30, 20, 'a.png'), await createImageFile(30, 20, 'b.png'));
  await expectEdge(page.getByRole('button', { name: t('composer.removeImage') }).first());
  const { openers, dialog } = findImageViewer();
  await openers.first().click();
  await expectEdge(dialog.getByRole('button', { name: t('lightbox.next') }));
});

test('a choice in the settings has an edge in forced colors', async () => {
  await openApp({ user: 'Alice', path: '/settings', forcedColors: true });
  const choice = page.getByRole('radiogroup', { name: t('settings.theme') });
  await expect.element(choice).toBeVisible();
  const bars = [choice.element(), ...choice.element().querySelectorAll('*')];
  expect(bars.map((bar) => getComputedStyle(bar).outline)).toContainEqual(
    expect.stringMatching(/ solid 1px$/),
  );
});

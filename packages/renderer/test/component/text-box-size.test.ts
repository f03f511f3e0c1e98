import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { focusOn } from './support/focus-on.ts';
import { createImageFile } from './support/media-files.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { menuItem, openMessageMenu } from './support/message-menu.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';

const t = createTranslator('en');

test('Enter sends only in wide windows, and the text box grows from 40 to 150 pixels', async () => {
  await openChatOf('Alice');
  const box = messageBox();
  const height = () => Math.round(box.element().getBoundingClientRect().height);
  expect(height()).toBe(40);
  await box.fill('One');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}Two');
  await expect.element(box).toHaveValue('One\nTwo');
  expect(height()).toBeGreaterThan(40);
  await box.fill('line\n'.repeat(30));
  await expect.poll(height).toBe(150);
  await box.fill('   \n \n');
  await userEvent.keyboard('{Enter}');
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  await box.fill('One\n\n   \nTwo');
  await userEvent.keyboard('{Enter}');
  await expect.element(box).toHaveValue('');
  expect(height()).toBe(40);
  const sent = messageWith('One');
  await expect.element(sent).toBeVisible();
  expect((sent.element() as HTMLElement).innerText).toMatch(/^One\nTwo/);
  expect(page.getByCss('[data-message]').elements()).toHaveLength(2);

  await page.viewport(1023, 800);
  await box.fill('As many words as have one line here, and several in a narrow window');
  await expect.poll(height).toBe(40);
  await page.viewport(360, 800);
  await expect.poll(height).toBeGreaterThan(60);
  await page.viewport(1023, 800);
  await expect.poll(height).toBe(40);
  await box.fill('Narrow');
  await userEvent.keyboard('{Enter}');
  await expect.element(box).toHaveValue('Narrow\n');
  await page.getByRole('button', { name: t('composer.send'), exact: true }).click();
  await expect.element(messageWith('Narrow')).toBeVisible();
  const emoji = page.getByRole('button', { name: t('composer.emoji') });
  await expect.element(emoji).not.toBeInTheDocument();
});

const SHORT_WINDOWS = [
  ['at a zoom of 400%', { width: 320, height: 256 }],
  ['on a phone in landscape', { width: 720, height: 300 }],
  ['above an on-screen keyboard', { width: 360, height: 340 }],
] as const;

/** Expects that messages are visible above the text box. */
async function expectRoom(): Promise<void> {
  const list = page.getByCss('[data-room] > :has([data-message])');
  const heightOfList = () => list.element().getBoundingClientRect().height;
  await expect.poll(heightOfList).toBeGreaterThanOrEqual(80);
  const { top, bottom } = messageBox().element().getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(innerHeight);
  expect(top).toBeGreaterThanOrEqual(list.element().getBoundingClientRect().bottom);
}

test.each(SHORT_WINDOWS)('the composer leaves room for messages %s', async (_, viewport) => {
  await openChatOf('Alice', { viewport });
  await messageBox().fill('line\n'.repeat(30));
  await expectRoom();
  await openMessageMenu(messageWith('Hello Bob!'));
  await menuItem(t('message.reply')).click();
  await expectRoom();
  pickFiles(await createImageFile(300, 100, 'one.png'), await createImageFile(9, 9, 'two.png'));
  await expect.element(page.getByText('two.png')).toBeInTheDocument();
  await expectRoom();
  await messageBox().fill('a'.repeat(10_005));
  await expect.element(page.getByText(t('composer.tooLong_other', { count: 5 }))).toBeVisible();
  await expectRoom();
});

test.each(SHORT_WINDOWS)(
  'the search leaves room for messages and composer %s',
  async (_, viewport) => {
    await openChatOf('Alice', { viewport });
    const open = page.getByRole('button', { name: t('roomSearch.title') });
    focusOn(open);
    await userEvent.keyboard('{Enter}');
    const field = page.getByCss('[data-room-search]');
    await expect.element(field).toHaveFocus();
    await field.fill('Bob');
    await expect.element(page.getByCss('[data-found]')).toBeInTheDocument();
    await expectRoom();
    const send = page.getByRole('button', { name: t('composer.send'), exact: true });
    for (const each of [
      field,
      messageBox(),
      send,
      page.getByRole('button', { name: t('search.close') }),
    ]) {
      await expect.element(each).toBeInViewport({ ratio: 1 });
    }
    await userEvent.keyboard('{Escape}');
    await expect.element(field).not.toBeInTheDocument();

    focusOn(open);
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(open).toHaveFocus();
    await expect.element(open).toBeInViewport();
  },
);

import { chatRow, message, messages, sendText, textBox } from './support/chat.ts';
import { openSharedChatroom } from './support/shared-chatroom.ts';
import { sendOverHttp, signInOverHttp } from './support/browser-user.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');

test('only web addresses become links, which open safely', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const markup = '<img src=x onerror="document.title=1"><b>bold</b> javascript:alert(1)';
  await sendText(alice.page, `See https://example.org/a_(b)?c=1, or www.example.com. ${markup}`);
  const bubble = message(bob.page, 'See https');
  const links = bubble.getByRole('link');
  await expect(links).toHaveCount(2);
  await expect(links.first()).toHaveAttribute('href', 'https://example.org/a_(b)?c=1');
  await expect(links.last()).toHaveAttribute('href', 'https://www.example.com/');
  for (const link of await links.all()) {
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  }
  await expect(bubble).toContainText(markup);
  await expect(bubble.locator('b, img')).toHaveCount(0);
});

test('the address of an image on another host is shown as a link', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  await sendText(alice.page, 'https://pictures.example.org/cat.png');
  const bubble = message(bob.page, 'cat.png');
  await expect(bubble.getByRole('link')).toBeVisible();
  await expect(bubble.locator('img')).toHaveCount(0);
});

test('a text that looks like the address of an upload is sent and shown as text', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const text = `${server.url}/media/01995a3e-5f0c-7d6e-9c39-6f1f6a1e2b10.png`;
  await sendText(alice.page, text);
  for (const { page } of [alice, bob]) {
    await expect(message(page, text)).toHaveAttribute('data-state', 'sent');
    await expect(message(page, text).getByRole('link')).toHaveText(text);
    await expect(page.locator('[data-message] img')).toHaveCount(0);
    await expect(chatRow(page, page === alice.page ? 'Bob' : 'Alice')).not.toContainText(
      t('chatList.sentImage'),
    );
  }
});

test('long words, long names, right-to-left text and messages of only emoji are displayed correctly', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const longName = 'Wolfeschlegelsteinha';
  const third = await newPage();
  await signInOverHttp(third, server, longName);
  await sendOverHttp(third, 'Bob', `${'w'.repeat(3_000)} https://example.org/${'x'.repeat(500)}`);
  await sendOverHttp(alice.page, 'Bob', 'שלום עולם, this is Hebrew');
  await sendOverHttp(alice.page, 'Bob', '🎉👩‍👩‍👧🇨🇭');
  await sendOverHttp(alice.page, 'Bob', 'Not alone 🎉');
  const { page } = bob;
  await expect(messages(page)).toHaveCount(4);
  const direction = (text: string) =>
    message(page, text)
      .locator('div')
      .first()
      .evaluate((part) => getComputedStyle(part).direction);
  expect(await direction('שלום')).toBe('rtl');
  expect(await direction('Not alone')).toBe('ltr');
  const size = (text: string) =>
    message(page, text)
      .locator('div')
      .first()
      .evaluate((part) => Number.parseFloat(getComputedStyle(part).fontSize));
  expect(await size('👩‍👩‍👧')).toBeGreaterThan((await size('Not alone')) * 1.5);

  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/chatarea');
    await page.locator('[data-chat]').filter({ hasText: longName }).click();
    await expect(message(page, 'wwww')).toBeVisible();
    const overflow = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main *')]
        .filter((element) => element.scrollWidth > element.clientWidth + 1)
        .filter((element) => getComputedStyle(element).overflowX === 'visible')
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 80)),
    );
    expect(overflow).toEqual([]);
  }
});

test('a message of 10,000 characters is sent and collapsed; a longer one is rejected and stays in the text box', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const longest = '😀'.repeat(9_990) + 'end of it!';
  await textBox(page).fill(`${longest}x`);
  await expect(page.getByText(t('composer.tooLong_one', { count: 1 }))).toBeVisible();
  await textBox(page).press('Enter');
  await expect(textBox(page)).toHaveValue(`${longest}x`);
  await expect(messages(page)).toHaveCount(1);
  await textBox(page).fill(longest);
  await textBox(page).press('Enter');
  await expect(textBox(page)).toHaveValue('');
  const bubble = message(bob.page, 'end of it!');
  await expect(bubble).toBeVisible();
  const collapsed = (await bubble.boundingBox())?.height ?? 0;
  await bubble.getByRole('button', { name: t('message.showMore') }).click();
  await expect
    .poll(async () => (await bubble.boundingBox())?.height ?? 0)
    .toBeGreaterThan(collapsed);
});

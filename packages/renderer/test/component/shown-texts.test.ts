import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { chatRowOf, messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { takePagePicture } from './support/page-picture.ts';
import { chooseFromRoomMenu } from './support/room-menu.ts';
import { sendWithEnter } from './support/send-with-enter.ts';

const t = createTranslator('en');

/** Returns the style of a message's text. */
function styleOf(text: string): CSSStyleDeclaration {
  return getComputedStyle(messageWith(text).getByCss('div').first().element());
}

/** Returns the elements that are cut off at the right edge of the window. */
function findOverflowing(): string[] {
  return [document.documentElement, ...document.querySelectorAll('main *')]
    .filter((element) => element.scrollWidth > element.clientWidth + 1)
    .filter((element) => getComputedStyle(element).overflowX === 'visible')
    .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 80));
}

test('only web addresses become links, which open safely', async () => {
  const { server, room } = await openChatOf('Bob');
  const markup = '<img src=x onerror="document.title=1"><b>bold</b> javascript:alert(1)';
  const text = `See https://example.org/a_(b)?c=1, or www.example.com. ${markup}`;
  await sendTextAs(server, 'Alice', room, text);
  const bubble = messageWith('See https');
  const links = bubble.getByRole('link');
  await expect.poll(() => links.elements()).toHaveLength(2);
  await expect.element(links.first()).toHaveAttribute('href', 'https://example.org/a_(b)?c=1');
  await expect.element(links.last()).toHaveAttribute('href', 'https://www.example.com/');
  for (const link of links.all()) {
    await expect.element(link).toHaveAttribute('target', '_blank');
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
  }
  await expect.element(bubble).toMatchTextContent(markup);
  expect(bubble.getByCss('b, img').elements()).toEqual([]);
});

test('the address of an image on another host is shown as a link', async () => {
  const { server, room } = await openChatOf('Bob');
  await sendTextAs(server, 'Alice', room, 'https://pictures.example.org/cat.png');
  const bubble = messageWith('cat.png');
  await expect.element(bubble.getByRole('link')).toBeVisible();
  expect(bubble.getByCss('img').elements()).toEqual([]);
});

test('long words, long names, right-to-left text and messages of only emoji are displayed correctly', async () => {
  const longName = 'Wolfeschlegelsteinha';
  const server = createServerWith(['Alice', 'Bob', longName]);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (const text of ['שלום עולם, this is Hebrew', '🎉👩‍👩‍👧🇨🇭', 'Not alone 🎉']) {
    await sendTextAs(server, 'Alice', room, text);
  }
  const longWords = `${'w'.repeat(3_000)} https://example.org/${'x'.repeat(500)}`;
  await createChatBetween(server, [longName, 'Bob'], longWords);
  const path = `/chatarea/chats/${room}`;
  const { reload } = await openApp({ server, user: 'Bob', path });
  await expect.poll(() => page.getByCss('[data-message]').elements()).toHaveLength(4);
  expect(styleOf('שלום').direction).toBe('rtl');
  expect(styleOf('Not alone').direction).toBe('ltr');
  const sizeOf = (text: string) => Number.parseFloat(styleOf(text).fontSize);
  expect(sizeOf('👩‍👩‍👧')).toBeGreaterThan(sizeOf('Not alone') * 1.5);

  for (const width of [1280, 320]) {
    await page.viewport(width, 800);
    await reload('/chatarea');
    await chatRowOf(longName).click();
    await expect.element(messageWith('wwww')).toBeVisible();
    expect(findOverflowing()).toEqual([]);
  }
});

/** Returns the place of a character of a text that is on the screen. */
function placeOf(element: Element, character: string): DOMRect {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.textContent?.indexOf(character) ?? -1;
    if (at === -1) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  }
  throw new Error(`no ${character}`);
}

test('each line of a text has its own direction in bubbles, previews and reports', async () => {
  // One sentence mark for each line.
  const lines = ['שלום עולם!', 'Hello, world?', 'سلام؛', '12:30;'];
  await openChatOf('Bob', {}, async (server, room) => {
    await sendTextAs(server, 'Alice', room, lines.join('\n'));
    await sendTextAs(server, 'Alice', room, 'Hello?\nשלום!');
  });
  const bubble = messageWith('12:30').element();
  const box = bubble.getBoundingClientRect();
  const middle = (box.left + box.right) / 2;
  expect(placeOf(bubble, '!').right).toBeLessThan(placeOf(bubble, 'ש').left);
  expect(placeOf(bubble, 'ש').left).toBeGreaterThan(middle);
  expect(placeOf(bubble, 'H').left).toBeLessThan(middle);
  expect(placeOf(bubble, '?').left).toBeGreaterThan(placeOf(bubble, 'H').right);
  expect(placeOf(bubble, '؛').right).toBeLessThan(placeOf(bubble, 'س').left);
  // The time is at the end of the last line.
  const timeOf = (text: string) => {
    const element = messageWith(text).element();
    const time = element.querySelector('time')?.getBoundingClientRect() ?? new DOMRect();
    return { time, outer: element.getBoundingClientRect() };
  };
  const left = timeOf('Hello?');
  expect(left.time.left - left.outer.left).toBeLessThan(left.outer.right - left.time.right);
  const right = timeOf('12:30');
  expect(right.time.left - right.outer.left).toBeGreaterThan(right.outer.right - right.time.right);

  const expectOwnDirections = (element: Element) => {
    expect(placeOf(element, '?').left).toBeGreaterThan(placeOf(element, 'H').right);
    expect(placeOf(element, '!').right).toBeLessThan(placeOf(element, 'ש').left);
  };
  expectOwnDirections(chatRowOf('Alice').element());
  await chooseFromRoomMenu(t, 'room.report');
  const reported = page.getByRole('dialog').getByRole('checkbox', { name: /^Hello\?/ });
  await expect.element(reported).toBeVisible();
  for (const label of page.getByRole('dialog').getByText(/שלום!/).elements()) {
    expectOwnDirections(label);
  }
});

test('stacked marks stay in the bubble of their message', async () => {
  const marks = '\u0300\u0301\u0302\u0303'.repeat(20);
  await openChatOf('Bob', {}, async (server, room) => {
    // Leaves the space above the other message empty.
    await sendTextAs(server, 'Bob', room, 'Hi');
    await sendTextAs(server, 'Alice', room, `Z${marks}a${marks}l`);
  });
  await document.fonts.ready;
  const { left, top, width } = messageWith('Z').element().getBoundingClientRect();
  const bitmap = await takePagePicture();
  const scale = bitmap.width / window.innerWidth;
  const height = 30;
  const context = new OffscreenCanvas(width * scale, height * scale).getContext('2d');
  context?.drawImage(bitmap, -left * scale, (height + 1 - top) * scale);
  const { data = [] } = context?.getImageData(0, 0, width * scale, height * scale) ?? {};
  const colors = new Set(Array.from(data).filter((_, at) => at % 4 === 0));
  expect(colors.size).toBe(1);
});

test('a text without any visible character is neither sent nor marked as a draft, and empties an edited message', async () => {
  const { reload } = await openChatOf('Alice');
  await messageBox().fill('\u200b\n\u3164');
  const send = page.getByRole('button', { name: t('composer.send') });
  await expect.element(send).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  await reload('/chatarea');
  await expect.element(chatRowOf('Bob')).toMatchTextContent('Hello Bob!');
  await expect.element(chatRowOf('Bob')).not.toMatchTextContent(t('chatList.draft'));
  await chatRowOf('Bob').click();
  await messageBox().fill('');
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(messageBox()).toHaveValue('Hello Bob!');
  await messageBox().fill('\u2800');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
});

test('a message of 10,000 characters is sent and collapsed; a longer one is rejected and stays in the text box', async () => {
  const { server, path } = await openChatOf('Alice');
  const longest = `${'😀'.repeat(9_990)}end of it!`;
  await messageBox().fill(`${longest}x`);
  const tooLong = page.getByText(t('composer.tooLong_one', { count: 1 }));
  await expect.element(tooLong).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(messageBox()).toHaveValue(`${longest}x`);
  expect(page.getByCss('[data-message]').elements()).toHaveLength(1);
  await messageBox().fill(longest);
  await userEvent.keyboard('{Enter}');
  await expect.element(messageBox()).toHaveValue('');
  const bubble = messageWith('end of it!');
  await expect.element(bubble).toHaveAttribute('data-state', 'sent');
  await openApp({ server, user: 'Bob', path });
  await expect.element(bubble).toBeVisible();
  const heightOf = () => bubble.element().getBoundingClientRect().height;
  const collapsed = heightOf();
  await bubble.getByRole('button', { name: t('message.showMore') }).click();
  await expect.poll(heightOf).toBeGreaterThan(collapsed);
});

test('a text that looks like the address of an upload is sent and shown as text', async () => {
  const { server, room, reload } = await openChatOf('Alice');
  const text = `${location.origin}/media/01995a3e-5f0c-7d6e-9c39-6f1f6a1e2b10.png`;
  await sendWithEnter(text);
  await expect.element(messageWith(text)).toHaveAttribute('data-state', 'sent');
  await sendTextAs(server, 'Bob', room, `${text}?2`);
  await expect.element(messageWith(`${text}?2`)).toBeVisible();
  for (const step of ['live', 'loaded']) {
    if (step === 'loaded') await reload();
    await expect.element(messageWith(`${text}?2`).getByRole('link')).toHaveTextContent(`${text}?2`);
    expect(messageWith(text).getByRole('link').elements(), step).toHaveLength(2);
    expect(page.getByCss('[data-message] img').elements(), step).toEqual([]);
    await expect.element(chatRowOf('Bob')).not.toMatchTextContent(t('chatList.sentImage'));
  }
});

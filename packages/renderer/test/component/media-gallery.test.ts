import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  actAs,
  createChatBetween,
  createServerWith,
  messagesSeenBy,
  sendTextAs,
} from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { focusOn } from './support/focus-on.ts';
import { expectNoImageEntry } from './support/image-viewer-dialog.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { expectPath } from './support/expect-path.ts';
import { chooseFromRoomMenu } from './support/room-menu.ts';

const tiles = (): Locator => page.getByCss('main [data-image]');

const linksWith = (text: RegExp): Locator =>
  page.getByRole('main').getByRole('link', { name: text });

const messages = (): Locator => page.getByRole('article');

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const tab = (name: string): Locator => page.getByRole('tab', { name: t(`gallery.${name}`) });
  const showInChat = (): Locator => page.getByRole('link', { name: t('gallery.showInChat') });

  test(`the gallery shows images, recordings and links, and leads to their messages (${language})`, async () => {
    const { server, room, path } = await openChatOf('Alice', { language, reducedMotion: true });
    await chooseFromRoomMenu(t, 'gallery.title');
    await expect
      .element(page.getByRole('heading', { level: 1 }))
      .toHaveTextContent(t('gallery.title'));
    for (const [name, text] of [
      ['links', 'gallery.noLinks'],
      ['recordings', 'gallery.noRecordings'],
      ['images', 'gallery.noImages'],
    ] as const) {
      await tab(name).click();
      await expect.element(page.getByText(t(text))).toBeVisible();
    }
    await expectNoAxeViolations('the empty gallery');
    await sendMediaAs(server, 'Bob', room, await createImageFile(300, 200));
    await expect.poll(() => tiles().elements().length).toBe(1);
    await expect.element(page.getByText(t('gallery.noImages'))).not.toBeInTheDocument();

    await sendMediaAs(server, 'Alice', room, await createImageFile(200, 300));
    await sendMediaAs(server, 'Bob', room, createRecordingFile(2));
    await sendTextAs(server, 'Bob', room, 'See https://www.example.org/ships, please');
    for (let i = 1; i <= 80; i += 1) await sendTextAs(server, 'Bob', room, `number ${i}.`);
    await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });

    // Images, newest first.
    await expect.poll(() => tiles().elements().length).toBe(2);
    const locale = language === 'de' ? 'de-DE' : 'en-GB';
    const month = new Date().toLocaleDateString(locale, { month: 'long', year: 'numeric' });
    await expect.element(page.getByRole('heading', { level: 2, name: month })).toBeVisible();
    await expectNoAxeViolations('the images of the gallery');
    focusOn(tiles().first());
    await userEvent.keyboard('{Enter}');
    const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
    const place = (current: number): Locator =>
      dialog.getByText(t('lightbox.place', { current, total: 2 }));
    await expect.element(place(2)).toBeVisible();
    await expect.element(dialog.getByCss(':focus')).toBeInTheDocument();
    await userEvent.keyboard('{ArrowLeft}');
    await expect.element(place(1)).toBeVisible();
    await expectNoAxeViolations('an image of the gallery');
    focusOn(dialog.getByRole('button', { name: t('lightbox.close') }));
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(tiles().last()).toHaveFocus();

    await tiles().last().click();
    await dialog.getByRole('button', { name: t('gallery.showInChat') }).click();
    await expectPath(path);
    const image = messages()
      .filter({ has: page.getByCss('[data-image]') })
      .first();
    await expect.element(image).toHaveFocus();
    await expect.element(image).toBeInViewport();
    history.back();
    // The chatroom shows both images, too.
    await expectPath(`${path}/media`);
    // The gallery closes the image once it is shown again.
    await expectNoImageEntry();
    await expect.poll(() => tiles().elements().length).toBe(2);
    await expect.element(dialog).not.toBeInTheDocument();

    await tab('recordings').click();
    const player = page.getByRole('group', { name: t('audio.partner', { name: 'Bob' }) });
    await player.getByRole('button', { name: t('audio.play') }).click();
    await expect.element(player.getByRole('button', { name: t('audio.pause') })).toBeVisible();
    await expectNoAxeViolations('the recordings of the gallery');
    await showInChat().click();
    await expect.element(messages().filter({ has: page.getByRole('slider') })).toHaveFocus();
    history.back();
    await expect.element(tab('recordings')).toHaveAttribute('aria-selected', 'true');

    focusOn(tab('links'));
    await userEvent.keyboard('{Enter}');
    const link = linksWith(/example\.org/);
    await expect.element(link).toHaveAttribute('href', 'https://www.example.org/ships');
    await expect.element(link).toHaveAttribute('target', '_blank');
    await expect.element(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
    await expect.element(link).toMatchTextContent('See https://www.example.org/ships, please');
    await expectNoAxeViolations('the links of the gallery');
    focusOn(showInChat());
    await userEvent.keyboard('{Enter}');
    await expect.element(messages().filter({ hasText: 'example.org' })).toHaveFocus();
    history.back();
    await page.getByRole('link', { name: t('gallery.back') }).click();
    await expectPath(path);
    await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent('Bob');
  });
}

const t = createTranslator('en');

test('the gallery loads more on scrolling, on a phone and without what was deleted', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  for (let i = 1; i <= 150; i += 1) {
    await sendTextAs(server, 'Bob', room, `Page https://host-${i}.example/`);
  }
  await openApp({
    server,
    user: 'Alice',
    path: `/chatarea/chats/${room}/media?kind=link`,
    viewport: { width: 360, height: 740 },
  });
  const links = linksWith(/host-\d+\.example/);
  const count = () => links.elements().length;
  await expect.element(links.first()).toMatchTextContent('host-150.example');
  expect(count()).toBeLessThan(150);
  await expect
    .poll(() => {
      links.last().element().scrollIntoView();
      return count();
    })
    .toBe(150);
  await expect.element(links.last()).toMatchTextContent('host-1.example');
  expect(document.documentElement.scrollWidth).toBe(360);
  for (const tab of page.getByRole('tab').elements()) {
    const range = document.createRange();
    range.selectNodeContents(tab);
    // The label is on one line.
    expect(new Set(Array.from(range.getClientRects(), ({ top }) => top)).size).toBe(1);
  }

  const newest = (await messagesSeenBy(server, 'Bob', room)).at(-1)?._id ?? '';
  await actAs(server, 'Bob').call('deleteMessage', { body: { messageId: newest } });
  await expect.poll(count).toBe(149);
  await expect.element(links.first()).toMatchTextContent('host-149.example');
});

test('offline, the gallery shows what is on the device and says so', async () => {
  const { browser } = await openChatOf('Alice', {}, async (server, room) => {
    await sendTextAs(server, 'Bob', room, 'See https://example.org/');
  });
  await chooseFromRoomMenu(t, 'gallery.title');
  await expect.element(page.getByText(t('gallery.noImages'))).toBeVisible();
  browser.setOnline(false);
  await page.getByRole('tab', { name: t('gallery.links') }).click();
  const note = page.getByText(t('gallery.offline'));
  await expect.element(note).toBeVisible();
  await expect.element(linksWith(/example\.org/)).toBeVisible();
  browser.setOnline(true);
  await expect.element(note).not.toBeInTheDocument();
  await expect.element(linksWith(/example\.org/)).toBeVisible();
});

test('a message request has no gallery', async () => {
  const server = createServerWith(['Alice', 'Eve']);
  const link = 'https://example.org';
  const room = await createChatBetween(server, ['Eve', 'Alice'], link, { isRequest: true });
  const path = `/chatarea/chats/${room}`;
  await openApp({ server, user: 'Alice', path: `${path}/media` });
  await expectPath(path);
  await page.getByRole('button', { name: t('room.menu') }).click();
  await expect.element(page.getByRole('menuitem', { name: t('calendar.open') })).toBeVisible();
  await expect
    .element(page.getByRole('menuitem', { name: t('gallery.title') }))
    .not.toBeInTheDocument();
});

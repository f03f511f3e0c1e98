import type { Page } from 'playwright/test';
import {
  signInElsewhere,
  signInOverHttp,
  signUpOverHttp,
  sendOverHttp,
} from './support/browser-user.ts';
import { chatRow, message, messages, textBox } from './support/chat.ts';
import { createPng, createWav } from './support/files.ts';
import { focusWithKeyboard, pressWithKeyboard } from './support/keyboard.ts';
import { sendFile } from './support/media.ts';
import { PHONE } from './support/phone.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator, localeOf } from './support/texts.ts';

const t = createTranslator('en');

/** Returns the paths that a page visits from now on, including redirects. */
function recordPaths(page: Page): string[] {
  const paths: string[] = [];
  page.on('framenavigated', (frame) => paths.push(new URL(frame.url()).pathname));
  return paths;
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`a message request is quiet on all devices until one of them accepts it (${language})`, async ({
    server,
    newPage,
  }) => {
    const options = { locale: localeOf(language) } as const;
    const [alicePage, bobPage] = [await newPage(options), await newPage(options)];
    await signInOverHttp(alicePage, server, 'Alice', language);
    const bob = await signUpOverHttp(bobPage, server, 'Bob', language);
    const phone = await signInElsewhere(await newPage({ ...options, ...PHONE }), bob);
    const devices = [bobPage, phone];
    const mediaRequests: string[] = [];
    for (const page of devices) {
      await expect(page.getByText(t('chatList.empty'))).toBeVisible();
      page.on('request', (request) => {
        if (new URL(request.url()).pathname.startsWith('/media/'))
          mediaRequests.push(request.url());
      });
    }

    await test.step('the list shows it in a folded line, without a count of messages in the title', async () => {
      const text = 'Look: https://example.org/ 🚀';
      const room = await sendOverHttp(alicePage, 'Bob', text, { isRequest: true });
      await sendFile(alicePage, room, 'image', createPng(400, 300));
      await sendFile(alicePage, room, 'audio', createWav(3));
      for (const page of devices) {
        const line = page.getByRole('button', { name: t('requests.total_one', { count: 1 }) });
        await expect(line).toContainText(t('requests.unread_one', { count: 1 }));
        await expect(chatRow(page, 'Alice')).toHaveCount(0);
        await line.click();
        const row = chatRow(page, 'Alice');
        await expect(row).toContainText(t('chatList.sentAudio'));
        await expect(row).toContainText(t('requests.row'));
        await expect(page).toHaveTitle(t('app.pageTitle', { page: t('frame.chats') }));
        // Only its first message is announced, and without its content.
        const log = page.getByRole('log', { name: t('room.announced') });
        await expect(log).toHaveText(t('request.notification', { name: 'Alice' }));
        await expect(page.locator('.Toastify__toast')).toHaveCount(0);
      }
    });

    await test.step('its room loads no media and has no links', async () => {
      for (const page of devices) {
        await chatRow(page, 'Alice').click();
        await expect(page.getByText(t('request.text', { name: 'Alice' }))).toBeVisible();
        await expect(message(page, t('request.imageHidden'))).toBeVisible();
        await expect(message(page, t('request.audioHidden'))).toBeVisible();
        await expect(message(page, 'https://example.org/')).toBeVisible();
        await expect(messages(page).getByRole('link')).toHaveCount(0);
        await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      }
      expect(mediaRequests).toEqual([]);
    });

    await test.step('accepting it on the phone shows everything on both devices', async () => {
      const accept = phone.getByRole('button', { name: t('request.accept') });
      for (const name of ['accept', 'delete', 'block']) {
        const box = await phone.getByRole('button', { name: t(`request.${name}`) }).boundingBox();
        expect(Math.round(box?.height ?? 0), name).toBeGreaterThanOrEqual(44);
      }
      await accept.tap();
      for (const page of devices) {
        await expect(page.getByRole('region', { name: t('request.label') })).toHaveCount(0);
        await expect(messages(page).getByRole('img')).toHaveJSProperty('naturalWidth', 400);
        await expect(messages(page).getByRole('link')).toHaveAttribute('href', /example\.org/);
        await expect(page.getByRole('button', { name: t('audio.play') })).toBeVisible();
      }
      // On a phone, the text box would open the on-screen keyboard.
      await expect(phone.getByRole('heading', { level: 1 })).toBeFocused();
      const line = bobPage.getByRole('button', { name: t('requests.total_one', { count: 1 }) });
      await expect(line).toHaveCount(0);
      await sendOverHttp(alicePage, 'Bob', 'Not a request any more');
      await expect(message(phone, 'Not a request any more')).toBeVisible();
    });
  });
}

test('a request is deleted or answered with the keyboard alone, and other devices follow after a gap @long', async ({
  server,
  newPage,
}) => {
  const [alicePage, carlaPage, page] = [await newPage(), await newPage(), await newPage()];
  await signInOverHttp(alicePage, server, 'Alice');
  await signInOverHttp(carlaPage, server, 'Carla');
  const bob = await signUpOverHttp(page, server, 'Bob');
  const other = await signInElsewhere(await newPage(), bob);
  await sendOverHttp(carlaPage, 'Bob', 'Buy my coins', { isRequest: true });
  await sendOverHttp(alicePage, 'Bob', 'It is me, Alice', { isRequest: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const unfold = (from: Page) => from.locator('nav [aria-expanded]').first().click();

  await test.step('delete', async () => {
    for (const each of [page, other]) await unfold(each);
    await chatRow(other, 'Carla').click();
    await expect(message(other, 'Buy my coins')).toBeVisible();
    await other.context().setOffline(true);
    await expect(other.getByText(t('connection.offline'))).toBeVisible();

    await focusWithKeyboard(page, chatRow(page, 'Alice'));
    await page.keyboard.press('ArrowDown');
    await expect(chatRow(page, 'Carla')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(message(page, 'Buy my coins')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await pressWithKeyboard(page, button(t('request.delete')));
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(t('request.deleteText', { name: 'Carla' }));
    await page.keyboard.press('Escape');
    await expect(button(t('request.delete'))).toBeFocused();
    await page.keyboard.press('Enter');
    await pressWithKeyboard(page, dialog.getByRole('button', { name: t('app.delete') }));
    await expect(page.getByText(t('request.deleted'))).toBeVisible();
    await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(chatRow(page, 'Carla')).toHaveCount(0);

    const paths = recordPaths(other);
    await other.context().setOffline(false);
    await expect(other).toHaveURL((url) => url.pathname === '/chatarea');
    await expect(chatRow(other, 'Carla')).toHaveCount(0);
    expect(paths).toEqual(['/chatarea']);
  });

  await test.step('the next message is a new request without the deleted one', async () => {
    await sendOverHttp(carlaPage, 'Bob', 'Last chance', { isRequest: true });
    await chatRow(other, 'Carla').click();
    await expect(message(other, 'Last chance')).toBeVisible();
    await expect(messages(other)).toHaveCount(1);
  });

  await test.step('accepting is shown immediately, and repeated until it succeeds', async () => {
    await chatRow(page, 'Alice').focus();
    await page.keyboard.press('Enter');
    await page.route('**/accept', (route) => route.fulfill({ status: 500 }), { times: 2 });
    await pressWithKeyboard(page, button(t('request.accept')));
    await expect(page.getByRole('region', { name: t('request.label') })).toHaveCount(0);
    await expect(textBox(page)).toBeFocused();
    await page.keyboard.type('Hello Alice!');
    await page.keyboard.press('Enter');
    await chatRow(other, 'Alice').click();
    await expect(message(other, 'Hello Alice!')).toBeVisible();
    await expect(other.getByRole('region', { name: t('request.label') })).toHaveCount(0);
  });
});

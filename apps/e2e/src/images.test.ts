import { chatRow, message, messages, scrollToStart, stillness } from './support/chat.ts';
import { picture, voice } from './support/files.ts';
import { choosePicture, give, sendFile } from './support/media.ts';
import { twoInRoom } from './support/pair.ts';
import { sendDirectly } from './support/person.ts';
import { expect, test } from './support/test.ts';
import { LANGUAGES, words } from './support/texts.ts';
import { seeToast } from './support/toasts.ts';

const t = words('en');

test('a picture goes out by button, paste and drop, with preview and progress', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await twoInRoom(newPage, server);
  const { page } = alice;
  const send = page.getByRole('button', { name: t('composer.sendImage_one') });
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });

  await test.step('by button, then taken back', async () => {
    await choosePicture(page, picture(40, 30, 'wrong.png'));
    await expect(page.getByText('wrong.png')).toBeVisible();
    await page.getByRole('button', { name: t('composer.removeImage') }).click();
    await expect(page.getByText('wrong.png')).toHaveCount(0);
  });

  await test.step('by button, with progress', async () => {
    const held = Promise.withResolvers<void>();
    await page.route('**/api/upload/image', async (route) => {
      await held.promise;
      await route.continue();
    });
    await choosePicture(page, picture(400, 300, 'first.png'));
    await send.click();
    await expect(page.getByText(/^Uploading, \d+ %$/)).toBeVisible();
    held.resolve();
    await expect(received).toHaveCount(1);
    await page.unroute('**/api/upload/image');
    await expect(page.getByText('first.png')).toHaveCount(0);
  });

  await test.step('by paste, sent with Enter', async () => {
    await give(page, 'paste', picture(60, 40, 'pasted.png'));
    await expect(page.getByText('pasted.png')).toBeVisible();
    await page.getByRole('textbox').press('Enter');
    await expect(received).toHaveCount(2);
  });

  await test.step('not by pasting a text that has a picture of itself, as from office programs', async () => {
    const isTaken = await page.getByRole('textbox').evaluate((box) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'A1\tB1');
      clipboardData.setData('text/html', '<table><tr><td>A1<td>B1</table>');
      clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }));
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      return !box.dispatchEvent(paste);
    });
    expect(isTaken).toBe(false);
    await expect(page.getByText('image.png')).toHaveCount(0);
  });

  await test.step('by drop', async () => {
    await give(page, 'drop', picture(50, 50, 'dropped.png'));
    await expect(page.getByText('dropped.png')).toBeVisible();
    await send.click();
    await expect(received).toHaveCount(3);
  });

  await test.step('both lists tell of it, and it can only be deleted', async () => {
    for (const row of [chatRow(page, 'Bob'), chatRow(bob.page, 'Alice')]) {
      await expect(row).toContainText(t('chatList.sentImage'));
    }
    const article = page.locator('article').last();
    await article.hover();
    await expect(article.getByRole('button', { name: t('message.delete') })).toBeVisible();
    await expect(article.getByRole('button', { name: t('message.edit') })).toHaveCount(0);
    await article.getByRole('button', { name: t('message.delete') }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: t('app.delete') })
      .click();
    await expect(received).toHaveCount(2);
  });
});

test('several pictures go out in their order; what fails stays, and the rest with it', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await twoInRoom(newPage, server);
  const { page } = alice;
  const waiting = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  const named = (name: string) => waiting.filter({ hasText: name });
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  const ratios = () =>
    received.evaluateAll((all) =>
      all.map(
        (image) => Number(image.getAttribute('width')) / Number(image.getAttribute('height')),
      ),
    );

  await choosePicture(page, picture(300, 100, 'wide.png'), picture(90, 90, 'wrong.png'));
  await give(page, 'drop', picture(150, 300, 'high.png'));
  await expect(waiting).toHaveText([/^wide\.png/, /^wrong\.png/, /^high\.png/]);
  await named('wrong.png').getByRole('button').click();
  await expect(waiting).toHaveCount(2);
  await expect(page.getByRole('textbox')).toBeFocused();

  const uploads: string[] = [];
  await page.route('**/api/upload/image', async (route) => {
    uploads.push(route.request().url());
    await (uploads.length === 2 ? route.abort() : route.continue());
  });
  await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
  await seeToast(page, t('error.offline'));
  await expect(waiting).toHaveText([/^high\.png/]);
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(waiting).toHaveCount(0);
  await expect.poll(ratios).toEqual([3, 0.5]);
  expect(uploads).toHaveLength(3);

  const many = Array.from({ length: 11 }, (_, index) => picture(10, 10, `${index}.png`));
  await choosePicture(page, ...many);
  await seeToast(page, t('composer.imagesTooMany', { count: 10 }));
  await expect(waiting).toHaveCount(10);
});

test('while pictures go out, text and further pictures can be sent', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await twoInRoom(newPage, server);
  const { page } = alice;
  const box = page.getByRole('textbox');
  const waiting = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  const received = bob.page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/upload/image', async (route) => {
    await held.promise;
    await route.continue();
  });
  await choosePicture(page, picture(300, 100, 'wide.png'), picture(90, 90, 'square.png'));
  await page.getByRole('button', { name: t('composer.sendImage_other', { count: 2 }) }).click();
  await expect(box).toBeFocused();
  await expect(page.getByText(/^Uploading, \d+ %$/)).toHaveCount(1);
  await expect(waiting.locator('progress')).toHaveCount(2);

  await box.fill('Look at these');
  await box.press('Enter');
  await expect(message(bob.page, 'Look at these')).toBeVisible();
  await choosePicture(page, picture(150, 300, 'high.png'));
  await expect(waiting.locator('progress')).toHaveCount(2);
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expect(waiting.locator('progress')).toHaveCount(3);
  held.resolve();
  await expect(waiting).toHaveCount(0);
  await expect(received).toHaveCount(3);
  const widths = received.evaluateAll((all) => all.map((image) => image.getAttribute('width')));
  expect(await widths).toEqual(['300', '120', '150']);
});

test('where the partner goes in the middle, the rest of the pictures goes nowhere', async ({
  server,
  newPage,
}) => {
  const { alice, bob } = await twoInRoom(newPage, server);
  const { page } = alice;
  const held = Promise.withResolvers<void>();
  let uploads = 0;
  await page.route('**/api/upload/image', async (route) => {
    uploads += 1;
    await held.promise;
    await route.continue();
  });
  await choosePicture(page, picture(30, 30, 'first.png'), picture(40, 40, 'second.png'));
  await page.getByRole('textbox').press('Enter');
  await expect(page.getByText(/^Uploading, \d+ %$/)).toBeVisible();
  await bob.page.request.delete('/api/users/delete');
  await expect(page.getByText(t('room.partnerDeletedNote'))).toBeVisible();
  held.resolve();
  await seeToast(page, t('room.partnerDeleted'));
  await expect(page.getByRole('list', { name: t('composer.images') })).toHaveCount(0);
  await expect(messages(page)).toHaveCount(1);
  expect(uploads).toBe(1);
});

test('pictures wait while a message is changed, and none comes', async ({ server, newPage }) => {
  const { alice } = await twoInRoom(newPage, server);
  const { page } = alice;
  await choosePicture(page, picture(60, 40, 'waits.png'));
  await message(page, 'Hello Bob!').hover();
  await page.getByRole('button', { name: t('message.edit') }).click();
  await give(page, 'drop', picture(50, 50, 'refused.png'));
  await expect(page.getByText('waits.png')).toHaveCount(0);
  await page.getByRole('textbox').fill('Hello again!');
  await page.getByRole('button', { name: t('composer.save') }).click();
  await expect(message(page, 'Hello again!')).toBeVisible();
  await expect(page.getByText('waits.png')).toBeVisible();
  await expect(page.getByText('refused.png')).toHaveCount(0);
  await expect(messages(page)).toHaveCount(1);
});

test('a picture has its final size at once and opens large', async ({ server, newPage }) => {
  const { alice, bob, room } = await twoInRoom(newPage, server);
  const { page } = bob;
  const held = Promise.withResolvers<void>();
  await page.route('**/media/**', async (route) => {
    await held.promise;
    await route.continue();
  });
  await sendFile(alice.page, room, 'image', picture(1_200, 600));
  const image = page.getByRole('img', { name: t('message.image', { name: 'Alice' }) });
  await stillness(page);
  const box = await image.boundingBox();
  expect(box).toMatchObject({ width: 340, height: 170 });
  held.resolve();
  await expect(image).toHaveJSProperty('naturalWidth', 1_200);
  expect(await image.boundingBox()).toEqual(box);

  const open = page.getByRole('button', { name: t('message.openImage') });
  await open.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const large = dialog.getByRole('img');
  const zoom = () =>
    large.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);
  await expect(large).toBeVisible();
  await page.keyboard.press('+');
  await expect.poll(zoom).toBe(1.5);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('0');
  await expect.poll(zoom).toBe(1);
  await dialog.getByRole('button', { name: t('lightbox.zoomIn') }).click();
  await expect.poll(zoom).toBe(1.5);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(open).toBeFocused();
});

test('an open picture is zoomed and moved by the mouse, and left beside it', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await twoInRoom(newPage, server);
  const { page } = bob;
  await sendFile(alice.page, room, 'image', picture(300, 200));
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  const large = dialog.getByRole('img');
  const matrix = () =>
    large.evaluate((element) => {
      const { a: zoom, e: x, f: y } = new DOMMatrix(getComputedStyle(element).transform);
      return { zoom, x, y };
    });
  const fit = { zoom: 1, x: 0, y: 0 };

  await page.getByRole('button', { name: t('message.openImage') }).dblclick();
  await expect.poll(matrix).toEqual(fit);
  await large.click();
  await expect(large).toBeVisible();
  await large.dblclick();
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: 0, y: 0 });
  await page.mouse.move(640, 400);
  await page.mouse.down();
  await page.mouse.move(600, 430);
  await page.mouse.up();
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: -40, y: 30 });
  // The other button is for the browser's menu.
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(700, 500);
  await page.mouse.up({ button: 'right' });
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: -40, y: 30 });
  // However far it is moved, some of it stays in sight.
  for (let i = 0; i < 30; i++) await page.keyboard.press('ArrowLeft');
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: 375, y: 30 });
  await large.dblclick();
  await expect.poll(matrix).toEqual(fit);
  // What is below the mouse stays there.
  await page.mouse.dblclick(690, 360);
  await expect.poll(matrix).toEqual({ zoom: 2.5, x: -75, y: 60 });
  await page.keyboard.press('0');
  await page.mouse.click(20, 400);
  await expect(dialog).toHaveCount(0);
});

test('a picture far up that was open does not come back by itself', async ({ server, newPage }) => {
  const { alice, room } = await twoInRoom(newPage, server);
  const { page } = alice;
  await sendFile(page, room, 'image', picture(300, 200));
  for (let i = 0; i < 40; i++) await sendDirectly(page, 'Bob', `Line ${i}`);
  await expect(message(page, 'Line 39')).toBeVisible();
  await page.goto('/chatarea');
  await chatRow(page, 'Bob').click();
  await expect(message(page, 'Line 39')).toBeVisible();
  await scrollToStart(page);
  const dialog = page.getByRole('dialog', { name: t('lightbox.title') });
  await page.getByRole('button', { name: t('message.openImage') }).click();
  await expect(dialog).toBeVisible();
  await page.reload();
  await expect(message(page, 'Line 39')).toBeVisible();
  await scrollToStart(page);
  await expect(page.getByRole('button', { name: t('message.openImage') })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL((url) => url.pathname === '/chatarea');
});

test('what cannot be loaded says so, and comes when the connection is back', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await twoInRoom(newPage, server);
  const { page } = bob;
  await page.route('**/media/**', (route) => route.abort());
  await sendFile(alice.page, room, 'image', picture(300, 200));
  await sendFile(alice.page, room, 'audio', voice(3));
  await expect(page.getByText(t('message.imageBroken'))).toBeVisible();
  await expect(page.getByText(t('audio.broken'))).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(t('connection.offline'))).toBeVisible();
  await page.unroute('**/media/**');
  await page.context().setOffline(false);
  await expect(page.getByRole('button', { name: t('message.openImage') })).toBeVisible();
  await expect(page.getByRole('button', { name: t('audio.play') })).toBeVisible();
  await expect(page.getByText(t('message.imageBroken'))).toHaveCount(0);
});

for (const language of LANGUAGES) {
  const say = words(language);

  test(`a picture that cannot be sent is told, and stays (${language})`, async ({
    server,
    newPage,
  }) => {
    const { alice } = await twoInRoom(newPage, server, { language });
    const { page } = alice;
    const send = page.getByRole('button', { name: say('composer.sendImage_one') }).last();
    const text = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Bob') };
    await choosePicture(page, text);
    await seeToast(page, say('composer.imageType'));
    const huge = { ...picture(1, 1), buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
    await choosePicture(page, huge);
    await seeToast(page, say('composer.imageTooLarge', { size: 10 }));

    // What calls itself a picture and is none is refused by the server itself.
    await choosePicture(page, { ...text, name: 'letter.png', mimeType: 'image/png' });
    await send.click();
    await seeToast(page, say('composer.imageType'));
    await page.getByRole('button', { name: say('composer.removeImage') }).click();

    const refusals = [
      [{ status: 500 }, 'composer.imageFailed'],
      [{ status: 507, json: { code: 'storage_full', errorMessage: '' } }, 'composer.storageFull'],
      [{ status: 408, json: { code: 'too_slow', errorMessage: '' } }, 'composer.tooSlow'],
      [{ status: 413 }, 'composer.imageTooLarge'],
    ] as const;
    await choosePicture(page, picture(60, 40, 'kept.png'));
    for (const [refusal, key] of refusals) {
      await page.route('**/api/upload/image', (route) => route.fulfill(refusal), { times: 1 });
      await send.click();
      await seeToast(page, say(key, { size: 10 }));
      await expect(page.getByText('kept.png')).toBeVisible();
    }
    await page.route('**/api/upload/image', (route) => route.abort(), { times: 1 });
    await send.click();
    await seeToast(page, say('error.offline'));
    await send.click();
    await expect(messages(page)).toHaveCount(2);
    await expect(page.getByText('kept.png')).toHaveCount(0);
  });
}

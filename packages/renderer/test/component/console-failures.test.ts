import { createTranslator } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { createImageFile, createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { messageRow } from './support/message-menu.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';
import { pickFiles } from './support/pick-files.ts';
import { noResponse } from './support/no-response.ts';
import { refuse } from './support/refuse.ts';

const t = createTranslator('en');

const heading = page.getByRole('heading', { level: 1 });

/** Collects the lines that the app writes to the console. */
function collectLogLines(): string[] {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    lines.push(args.map(String).join(' '));
  });
  onTestFinished(() => spy.mockRestore());
  return lines;
}

test('failures to send, edit, delete, upload and play are logged to the console', async () => {
  const lines = collectLogLines();
  const expectLogged = (what: string) =>
    expect.poll(() => lines.join('\n')).toContain(`Parley: ${what} failed.`);
  const { server, room } = await openChatOf('Alice');
  const own = messageRow(messageWith('Hello Bob!'));
  const refusals = (['sendMessage', 'editMessage', 'deleteMessage'] as const).map((endpoint) =>
    server.intercept(endpoint, refuse),
  );
  await messageBox().fill('Refused');
  await userEvent.keyboard('{Enter}');
  await expectLogged('sending a message');

  await own.getByRole('button', { name: t('message.edit'), exact: true }).click();
  await messageBox().fill('Changed');
  await userEvent.keyboard('{Enter}');
  await expectLogged('editing a message');
  await expect.element(messageBox()).toHaveValue('Changed');

  await own.getByRole('button', { name: t('message.delete'), exact: true }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: t('app.delete') }).click();
  await expectLogged('deleting a message');
  for (const restore of refusals) restore();

  server.intercept('uploadImage', () => Response.json({}, { status: 415 }));
  await messageBox().fill('');
  pickFiles(await createImageFile(20, 20));
  await page.getByRole('button', { name: t('composer.sendImage_one') }).click();
  await expectLogged('uploading an image');

  server.intercept('getMedia', noResponse);
  await sendMediaAs(server, 'Alice', room, createRecordingFile(1));
  await page.getByRole('button', { name: t('audio.play') }).click();
  await expectLogged('playing a recording');
});

test('failures to create a chatroom and to log out are logged to the console', async () => {
  const lines = collectLogLines();
  const server = createServerWith(['Alice', 'Bob']);
  await openApp({ server, user: 'Alice', path: '/chatarea/chats/new-chatroom/Bob' });
  server.intercept('createChatroom', () => new Response(null, { status: 500 }));
  await messageBox().fill('Hello');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => lines.join('\n')).toContain('Parley: creating a chatroom failed.');
  server.intercept('logout', () => new Response(null, { status: 500 }));
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  await page.getByRole('menuitem', { name: t('frame.logout') }).click();
  await expect.poll(() => lines.join('\n')).toContain('Parley: logging out failed.');
});

test('a sound that the browser does not play is logged to the console', async () => {
  const lines = collectLogLines();
  const server = createServerWith(['Alice', 'Bob']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Bob' });
  const play = vi.spyOn(HTMLMediaElement.prototype, 'play');
  play.mockRejectedValue(new Error('no device'));
  onTestFinished(() => play.mockRestore());
  // The browser plays sounds only after a gesture.
  await page.getByRole('main').click();
  await sendTextAs(server, 'Alice', room, 'Can you hear me?');
  await expect
    .poll(() => lines.join('\n'))
    .toContain('Parley: playing the receive sound failed. Error: no device');
});

test('public pages work if the account cannot be fetched, and log the failure to the console', async () => {
  const lines = collectLogLines();
  // Each screen depends on the server's responses without it.
  localStorage.setItem('parley.offline-copy', 'false');
  const { server, path: room, reload } = await openChatOf('Alice');
  // A status after which the client does not repeat the request.
  const restore = server.intercept('getCurrentUser', () => new Response(null, { status: 501 }));
  for (const [path, key] of [
    ['/privacy', 'privacy.title'],
    ['/', 'login.title'],
    ['/register', 'register.title'],
    ['/404', 'notFound.title'],
  ] as const) {
    lines.length = 0;
    await reload(path);
    await expect.element(heading).toMatchTextContent(t(key));
    await expect
      .poll(() => lines.join('\n'))
      .toContain("Parley: fetching the user's language failed.");
  }
  await reload(room);
  await expect.element(page.getByRole('heading', { name: t('app.startRefused') })).toBeVisible();
  restore();
  await reload();
  await expect.element(messageWith('Hello Bob!')).toBeVisible();
});

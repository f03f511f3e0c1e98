import { endpointPath, LIMITS, type DataExport } from '@parley/contract';
import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith } from './support/act-as.ts';
import { openApp } from './support/open-app.ts';
import { pressWithKeys } from './support/reach-with-keys.ts';

const EXPORT: DataExport = {
  id: '00000000-0000-4000-8000-000000000001',
  status: 'running',
  done: 420,
  total: 1_000,
  createdAt: new Date().toISOString(),
};

/** Lets the server respond with exports in the states that are in the returned list at that time. */
function createServerOf(...exports: DataExport[]) {
  const server = createServerWith(['Alice', 'Bob']);
  const listed = [...exports];
  server.intercept('listExports', () => Response.json({ exports: listed }));
  return { server, listed };
}

/** Loads the exports again at once, as when the user returns to the page. */
function returnToPage(): void {
  document.dispatchEvent(new Event('visibilitychange'));
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const section = page.getByRole('region', { name: t('data.title') });
  const item = section.getByRole('listitem');
  const create = section.getByRole('button', { name: t('data.create') });

  test(`an export of everything is made, downloaded and deleted (${language})`, async () => {
    const server = createServerWith(['Alice'], language);
    await openApp({ server, user: 'Alice', path: '/settings', language });
    await pressWithKeys(create);
    await expect.element(item).toMatchTextContent(t('data.everything'));
    await expect.element(item).toMatchTextContent(t('data.ready', { time: '' }).trim());
    await expect.element(section.getByRole('status')).toHaveTextContent(t('data.isReady'));
    const { exports } = await actAs(server, 'Alice').call('listExports');
    const id = exports[0]?.id ?? '';
    const download = item.getByRole('link', {
      name: t('data.downloadOf', { name: t('data.everything'), time: '' }).trim(),
      exact: false,
    });
    await expect.element(download).toHaveAttribute('download');
    const href = location.origin + endpointPath('getExportFile', { id });
    await expect.element(download).toHaveAttribute('href', href);
    await pressWithKeys(item.getByRole('button', { name: new RegExp(`^${t('data.delete')}`) }));
    await expect.element(item).not.toBeInTheDocument();
    await expect.element(create).toHaveFocus();
    expect(await actAs(server, 'Alice').call('listExports')).toEqual({ exports: [] });
  });
}

const t = createTranslator('en');
const section = page.getByRole('region', { name: t('data.title') });
const item = section.getByRole('listitem');
const create = section.getByRole('button', { name: t('data.create') });

test('shows the progress of an export, and when it is ready without a reload', async () => {
  const { server, listed } = createServerOf({ ...EXPORT, status: 'waiting', done: 0, total: 0 });
  await openApp({ server, user: 'Alice', path: '/settings' });
  const bar = section.getByRole('progressbar', { name: 'Progress: All my data' });
  await expect.element(bar).not.toHaveAttribute('value');
  await expect.element(item).toMatchTextContent(t('data.waiting'));
  await expect.element(create).toHaveAttribute('aria-disabled', 'true');
  listed.splice(0, 1, EXPORT);
  returnToPage();
  await expect.element(bar).toHaveAttribute('value', '42');
  await expect.element(item).toMatchTextContent('Being prepared: 42%');
  // All messages are read, but the file is not in place yet.
  listed.splice(0, 1, { ...EXPORT, done: 1_000 });
  returnToPage();
  await expect.element(bar).toHaveAttribute('value', '99');
  const expiresAt = new Date(Date.now() + LIMITS.exportLifetime).toISOString();
  listed.splice(0, 1, { ...EXPORT, status: 'ready', size: 3_440_000, expiresAt });
  await expect.element(item).toMatchTextContent(/3.4 MB/);
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(create).not.toHaveAttribute('aria-disabled', 'true');
});

test.each([
  ['storage_full', t('data.storageFull')],
  ['internal', t('data.internal')],
] as const)('says why an export failed and makes it again: %s', async (failure, text) => {
  const expiresAt = new Date(Date.now() + LIMITS.exportLifetime).toISOString();
  const chat = { chatroom: 'c', partnerName: 'Bob' };
  const { server } = createServerOf({ ...EXPORT, ...chat, status: 'failed', failure, expiresAt });
  const requested: unknown[] = [];
  server.intercept('createExport', async (request) => {
    requested.push(await request.json());
    return Response.json({ ...EXPORT, ...chat, id: EXPORT.id.replace(/1$/, '2') });
  });
  await openApp({ server, user: 'Alice', path: '/settings' });
  await expect.element(item).toMatchTextContent(`Chat with Bob`);
  await expect.element(item).toMatchTextContent(text);
  await item.getByRole('button', { name: t('app.retry') }).click();
  await expect.element(item.first()).toMatchTextContent('Being prepared');
  await expect.element(item.getByRole('button', { name: t('app.retry') })).not.toBeInTheDocument();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  expect(requested).toEqual([{ language: 'en', timeZone, chatroom: 'c' }]);
});

test('suggests to export single chats if there is no space for everything', async () => {
  const { server } = createServerOf({ ...EXPORT, status: 'failed', failure: 'storage_full' });
  await openApp({ server, user: 'Alice', path: '/settings' });
  await expect.element(item).toMatchTextContent(t('data.storageFullForAll'));
});

test('makes an export with the times in UTC if the server does not know the time zone', async () => {
  const zone = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone: 'Mars/Olympus' };
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(zone);
  await openApp({ server: createServerWith(['Alice']), user: 'Alice', path: '/settings' });
  await create.click();
  await expect.element(item).toMatchTextContent(t('data.everything'));
});

test('says why an export cannot be started, and shows the one of another device', async () => {
  const { server, listed } = createServerOf();
  server.intercept('createExport', () => {
    listed.push(EXPORT);
    return Response.json(
      { code: 'rate_limited', errorMessage: 'Too many requests' },
      { status: 429, headers: { 'retry-after': '600' } },
    );
  });
  await openApp({ server, user: 'Alice', path: '/settings' });
  await create.click();
  const alert = section.getByRole('alert');
  await expect.element(alert).toMatchTextContent(t('data.createFailed'));
  await expect.element(alert).toMatchTextContent(/10 minutes/);
  await expect.element(item).toMatchTextContent('Being prepared: 42%');
});

test('does not bring a deleted export back by a response that was sent before', async () => {
  const { server, listed } = createServerOf();
  server.intercept('deleteExport', () => Response.json({ ok: true }));
  await openApp({ server, user: 'Alice', path: '/settings' });
  await expect.element(create).toBeVisible();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  listed.push(EXPORT);
  returnToPage();
  await expect.element(item).toMatchTextContent('Being prepared: 42%');

  let [isPolled, isReloaded] = [false, false];
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  server.intercept('listExports', () => {
    // What is shown must not depend on the response to what follows.
    server.intercept('listExports', () => {
      isReloaded = true;
      return new Promise<Response>(() => undefined);
    });
    isPolled = true;
    return response;
  });
  vi.advanceTimersByTime(2_000);
  await expect.poll(() => isPolled).toBe(true);
  await item.getByRole('button', { name: new RegExp(`^${t('data.cancel')}`) }).click();
  await expect.element(item).not.toBeInTheDocument();
  respond(Response.json({ exports: [EXPORT] }));
  await expect.poll(() => isReloaded).toBe(true);
  await expect.element(item).not.toBeInTheDocument();
  await expect.element(create).not.toHaveAttribute('aria-disabled', 'true');
});

test('shows a new export once if the list has it before the request has succeeded', async () => {
  const { server, listed } = createServerOf();
  const { promise: response, resolve: respond } = Promise.withResolvers<Response>();
  server.intercept('createExport', () => {
    listed.push(EXPORT);
    return response;
  });
  await openApp({ server, user: 'Alice', path: '/settings' });
  await create.click();
  returnToPage();
  await expect.element(item).toMatchTextContent('Being prepared: 42%');
  respond(Response.json({ ...EXPORT, done: 430 }, { status: 202 }));
  await expect.element(item).toMatchTextContent('Being prepared: 43%');
  await expect.element(create).not.toHaveAttribute('aria-busy', 'true');
});

test('exports one chat from the menu of its room', async () => {
  const server = createServerWith(['Alice', 'Bob', 'Carla']);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const other = await createChatBetween(server, ['Alice', 'Carla']);
  const alice = actAs(server, 'Alice');
  const body = { chatroom: other, language: 'en', timeZone: 'UTC' } as const;
  await alice.call('createExport', { body });
  await alice.call('listExports');
  await openApp({ server, user: 'Alice', path: `/chatarea/chats/${room}` });
  const menu = page.getByRole('button', { name: t('room.menu') });
  await menu.click();
  await page.getByRole('menuitem', { name: t('room.export') }).click();
  const dialog = page.getByRole('dialog', { name: t('data.chatTitle', { name: 'Bob' }) });
  await expect.element(dialog.getByRole('button', { name: t('ui.close') })).toHaveFocus();
  await expect.element(dialog.getByRole('button', { name: t('data.create') })).toBeVisible();
  // The export of the other chat is not shown here.
  await expect.element(dialog.getByRole('listitem')).not.toBeInTheDocument();
  await pressWithKeys(dialog.getByRole('button', { name: t('data.create') }));
  await expect.element(dialog.getByRole('link')).toMatchTextContent(t('data.download'));
  const { exports } = await alice.call('listExports');
  expect(exports.map(({ chatroom }) => chatroom)).toEqual([room, other]);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(menu).toHaveFocus();
});

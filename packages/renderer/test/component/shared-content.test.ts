import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { SharedContent, SharedContentStore } from '../../src/host/shared-content.ts';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { expectPath } from './support/expect-path.ts';
import { messageBox } from './support/locators.ts';
import { createImageFile } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';

/** Creates the store of a device with what other apps have shared. */
function createSharedStore() {
  const waiting = new Map<string, SharedContent>();
  const store = {
    list: vi.fn<SharedContentStore['list']>(async () => [...waiting.keys()].toReversed()),
    read: vi.fn<SharedContentStore['read']>(async (id) => waiting.get(id)),
    remove: vi.fn<SharedContentStore['remove']>(async (id) => waiting.delete(id)),
    clear: async () => waiting.clear(),
  } satisfies SharedContentStore;
  const share = async (id: string, text: string) => {
    const images = [await createImageFile(30, 20, `${id}.png`)];
    waiting.set(id, { id, text, images, refused: [], refusedMore: 0 });
  };
  return { store, share, waiting };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const content = page.getByRole('region', { name: t('share.content') });
  const target = () => page.getByCss('[data-share-target]');
  const images = page.getByRole('list', { name: t('composer.images') }).getByRole('listitem');
  const button = (key: string) => page.getByRole('button', { name: t(key), exact: true });
  const open = async (path: string, store: SharedContentStore) => {
    const server = createServerWith(['Alice', 'Bob'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    const host = { sharedContent: store };
    return { room, ...(await openApp({ server, user: 'Alice', path, language, host })) };
  };

  test(`a picture that could not be stored can be shared again (${language})`, async () => {
    const { store, share, waiting } = createSharedStore();
    const { reload, room } = await open('/share?error=storage', store);
    const error = page.getByRole('alert').filter({ hasText: t('share.errorStorage') });
    await expect.element(error).toBeVisible();
    await expect.element(page.getByText(t('share.empty'))).toBeVisible();
    await expect.element(target()).not.toBeInTheDocument();

    // What was shared before is offered beside the error.
    await share('earlier', 'From yesterday');
    await reload('/share?error=storage');
    await expect.element(error).toBeVisible();
    await expect.element(content).toMatchTextContent('From yesterday');

    await share('again', 'From today');
    await reload('/share?id=again');
    await expect.element(content).toMatchTextContent('From today');
    await expect.element(error).not.toBeInTheDocument();
    await target().click();
    await expectPath(`/chatarea/chats/${room}`);
    await expect.element(messageBox()).toHaveValue('From today');
    await expect.poll(() => images.elements()).toHaveLength(1);
    expect([...waiting.keys()]).toEqual(['earlier']);
  });

  test(`shared content that cannot be read, added or discarded stays, and can be tried again (${language})`, async () => {
    const { store, share, waiting } = createSharedStore();
    await share('one', 'Look');
    store.read.mockRejectedValueOnce(new Error('the disk fails'));
    const { reload } = await open('/share?id=one', store);
    await expect.element(page.getByText(t('share.loadFailed'))).toBeVisible();
    await button('app.retry').click();
    await expect.element(content).toMatchTextContent('Look');

    store.remove.mockRejectedValueOnce(new Error('the disk fails'));
    await target().click();
    await closeToast(t('share.addFailed'));
    await expect.element(content).toMatchTextContent('Look');
    await target().click();
    await expect.element(messageBox()).toHaveValue('Look');
    await expect.poll(() => images.elements()).toHaveLength(1);

    await share('two', 'Look again');
    await reload('/share?id=two');
    const dialog = page.getByRole('alertdialog');
    const confirm = dialog.getByRole('button', { name: t('share.discardConfirm'), exact: true });
    store.remove.mockRejectedValueOnce(new Error('the disk fails'));
    await button('share.discard').click();
    await confirm.click();
    await closeToast(t('share.discardFailed'));
    await expect.element(dialog).not.toBeInTheDocument();
    await button('share.discard').click();
    await confirm.click();
    await expectPath('/chatarea');
    expect(waiting.size).toBe(0);
  });
}

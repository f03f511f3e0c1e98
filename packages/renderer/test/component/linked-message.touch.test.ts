import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectShown, hello, openLinkOffline } from './support/linked-message.ts';
import { expectPath } from './support/expect-path.ts';
import { waitForLayers } from './support/wait-for-layers.ts';

const t = createTranslator('en');

test('a link that is followed beside an open search leaves no entry of its own in the history', async () => {
  const viewport = { width: 390, height: 740 };
  const { browser, path, linkTo } = await openLinkOffline({ viewport });
  const open = page.getByRole('button', { name: t('roomSearch.title'), exact: true });
  (open.element() as HTMLElement).click();
  const search = page.getByRole('textbox', { name: t('roomSearch.title'), exact: true });
  await expect.element(search).toBeVisible();
  await waitForLayers(1);
  browser.setOnline(true);
  await expectShown(hello());
  expect(location.pathname).toBe(linkTo(1));
  history.back();
  await expect.element(search).not.toBeInTheDocument();
  await expectPath(path);
  await waitForLayers(0);
  await expect.element(hello()).toBeInViewport();
});

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAs } from './support/act-as.ts';
import { closeToast } from './support/close-toast.ts';
import { openApp } from './support/open-app.ts';
import { reachWithKeys } from './support/reach-with-keys.ts';
import { noResponse } from './support/no-response.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const radio = (key: string) =>
    page.getByRole('radio', { name: t(`settings.${key}`), exact: true });
  const discoverable = page.getByRole('checkbox', { name: t('settings.discoverable') });

  test(`the keyboard changes who may write and who finds the user (${language})`, async () => {
    const { server } = await openApp({ user: 'Alice', path: '/settings', language });
    await reachWithKeys(radio('everyone'));
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(radio('requests')).toBeChecked();
    await expect.element(radio('requests')).toHaveAccessibleDescription(t('settings.requestsHelp'));
    await closeToast(t('settings.updated'));
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(radio('invited')).toBeChecked();
    await closeToast(t('settings.updated'));
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(radio('nobody')).toBeChecked();
    await expect.element(radio('nobody')).toHaveAccessibleDescription(t('settings.nobodyHelp'));
    await expect.element(page.getByText(t('settings.invitationsOff'))).toBeVisible();
    await closeToast(t('settings.updated'));
    await reachWithKeys(discoverable);
    await userEvent.keyboard(' ');
    await expect.element(discoverable).not.toBeChecked();
    await closeToast(t('settings.updated'));
    const stored = { whoMayWrite: 'nobody', isDiscoverable: false };
    expect(await actAs(server, 'Alice').call('getCurrentUser')).toMatchObject(stored);

    const restore = server.intercept('changeSettings', noResponse);
    await radio('everyone').click();
    await closeToast(t('settings.failed'));
    await expect.element(radio('nobody')).toBeChecked();
    restore();
    await radio('everyone').click();
    await closeToast(t('settings.updated'));
    await expect.element(radio('everyone')).toBeChecked();
  });

  test(`who may write and who finds the user follow another device, also after a gap (${language})`, async () => {
    const { server, browser } = await openApp({ user: 'Alice', path: '/settings', language });
    const change = async (body: {
      whoMayWrite: 'everyone' | 'nobody';
      isDiscoverable: boolean;
    }) => {
      await actAs(server, 'Alice').call('changeSettings', { body });
    };
    await expect.element(radio('everyone')).toBeChecked();
    await change({ whoMayWrite: 'nobody', isDiscoverable: false });
    await expect.element(radio('nobody')).toBeChecked();
    await expect.element(discoverable).not.toBeChecked();
    await expect.element(page.getByText(t('settings.invitationsOff'))).toBeVisible();
    browser.setOnline(false);
    await expect.element(page.getByText(t('connection.offline'))).toBeVisible();
    await change({ whoMayWrite: 'everyone', isDiscoverable: true });
    browser.setOnline(true);
    await expect.element(discoverable).toBeChecked();
    await expect.element(radio('everyone')).toBeChecked();
  });
}

import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { noResponse } from './support/no-response.ts';

const t = createTranslator('en');

const heading = page.getByRole('heading', { level: 1 });
const alert = page.getByRole('alert');

/** Creates users and an invitation of Alice. */
async function inviteAs() {
  const server = createServerWith(['Alice', 'Bob']);
  const body = { isSingleUse: true };
  const { id, code } = await actAs(server, 'Alice').call('createInvitation', { body });
  return { server, id, link: `/invite#${code}` };
}

test('an invitation of one’s own leads to the settings, where it can be revoked', async () => {
  const { server, link } = await inviteAs();
  const { reload } = await openApp({ server, user: 'Alice' });
  await reload(link);
  await expect.element(heading).toHaveTextContent(t('invite.own'));
  await page.getByRole('link', { name: t('invite.ownManage') }).click();
  const section = page.getByRole('region', { name: t('settings.invitations') });
  await expect.element(section.getByRole('heading')).toBeVisible();
  const revoke = section.getByRole('button', { name: new RegExp(`^${t('invite.revoke')}:`) });
  await revoke.click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: t('app.cancel') }).click();
  await expect.element(revoke).toHaveFocus();
  await revoke.click();
  await confirmation.getByRole('button', { name: t('invite.revoke') }).click();
  await expect.element(section.getByText(t('settings.invitationsEmpty'))).toBeVisible();
  await expect.element(section.getByRole('heading')).toHaveFocus();
  await expect.element(toastWith(t('settings.invitationRevoked'))).toBeVisible();

  server.intercept('createInvitation', () =>
    Response.json({ code: 'quota_invitations', errorMessage: 'No.' }, { status: 403 }),
  );
  await section.getByRole('button', { name: t('settings.invitationNew') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('settings.invitationCreate') }).click();
  const tooMany = t('settings.invitationsMax', { count: 20 });
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(tooMany);
});

test('an invitation shows why it cannot be used', async () => {
  const { server, id, link } = await inviteAs();
  const restorePreview = server.intercept('previewInvitation', noResponse);
  const { reload } = await openApp({ server, user: 'Bob' });
  await reload(link);
  await expect.element(alert).toMatchTextContent(t('invite.loadFailed'));
  restorePreview();
  await page.getByRole('button', { name: t('app.retry') }).click();
  await expect.element(heading).toHaveFocus();
  const start = page.getByRole('button', { name: t('invite.start') });
  const restoreRedeem = server.intercept('redeemInvitation', noResponse);
  await start.click();
  await expect.element(alert).toHaveTextContent(t('error.offline'));
  restoreRedeem();
  await expect.element(start).toBeEnabled();

  await actAs(server, 'Alice').call('revokeInvitation', { params: { id } });
  await start.click();
  await expect.element(alert).toHaveTextContent(t('invite.invalid'));
  await expect.element(heading).toHaveFocus();
});

test('an incomplete invitation link leads a guest to the login', async () => {
  await openApp({ path: '/invite' });
  await expect.element(alert).toHaveTextContent(t('invite.invalid'));
  await page.getByRole('link', { name: t('invite.toLogin') }).click();
  await expect.element(heading).toHaveTextContent(t('login.title'));
});

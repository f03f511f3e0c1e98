import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, createServerWith } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { expectPath } from './support/expect-path.ts';
import { chatRowOf } from './support/locators.ts';
import { noResponse } from './support/no-response.ts';
import { openApp } from './support/open-app.ts';

const boxOf = (locator: Locator): DOMRect => locator.element().getBoundingClientRect();
const primaryButtons = () => page.getByCss('[class*=_primary_]');

/** Replaces the clipboard until the test ends. */
function watchClipboard() {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  return writeText;
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  for (const viewport of [
    { width: 360, height: 640 },
    { width: 1280, height: 800 },
  ]) {
    test(`a new user finds the invitation and gets its link at once, ${viewport.width} pixels wide (${language})`, async () => {
      const writeText = watchClipboard();
      const { server } = await openApp({ user: 'Alice', language, viewport });
      const invite = page.getByRole('button', { name: t('frame.invite'), exact: true });
      const find = page.getByRole('link', { name: t('findUser.open'), exact: true }).first();
      await expect.element(invite).toBeVisible();
      await expect.element(find).toBeVisible();
      // There is one empty state, with one main action.
      expect(primaryButtons().elements()).toEqual([invite.element()]);
      expect(page.getByText(t('frame.firstChatHelp')).elements()).toHaveLength(1);
      const { left, right, bottom } = boxOf(invite);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(viewport.width);
      const floating = page.getByCss('a[class*=_add_]');
      expect(bottom).toBeLessThan(boxOf(floating).top);

      await invite.click();
      const dialog = page.getByRole('dialog', { name: t('frame.invite') });
      await expect.element(dialog.getByRole('img', { name: t('invite.qr') })).toBeVisible();
      const copy = dialog.getByRole('button', { name: t('invite.copy') });
      await expect.element(copy).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(dialog.getByRole('status')).toHaveTextContent(t('invite.copied'));
      const { invitations } = await actAs(server, 'Alice').call('listInvitations');
      expect(invitations).toMatchObject([{ isSingleUse: false, note: '' }]);
      const link = `${location.origin}/invite#${invitations[0]?.code}`;
      expect(writeText).toHaveBeenCalledExactlyOnceWith(link);

      // The same link works for several people.
      await userEvent.keyboard('{Escape}');
      await expect.element(dialog).not.toBeInTheDocument();
      await expect.element(invite).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await expect.element(dialog.getByRole('textbox')).toHaveValue(link);
      expect((await actAs(server, 'Alice').call('listInvitations')).invitations).toHaveLength(1);
    });
  }

  test(`a new user copies the own name and finds others by theirs (${language})`, async () => {
    const writeText = watchClipboard();
    await openApp({ user: 'Alice', language, viewport: { width: 390, height: 740 } });
    await page.getByRole('button', { name: t('invitation.copyName', { name: 'Alice' }) }).click();
    expect(writeText).toHaveBeenCalledExactlyOnceWith('Alice');
    const copied = page.getByRole('status').filter({ hasText: t('invitation.nameCopied') });
    await expect.element(copied).toBeInTheDocument();
    await page
      .getByRole('link', { name: t('findUser.open'), exact: true })
      .first()
      .click();
    await expectPath('/chatarea/exist');
    await page.getByRole('button', { name: t('frame.invite'), exact: true }).click();
    await expect.element(page.getByRole('dialog').getByRole('textbox')).toBeVisible();
  });
}

const t = createTranslator('en');
const invite = page.getByRole('button', { name: t('frame.invite'), exact: true });
const dialog = page.getByRole('dialog', { name: t('frame.invite') });

test('the link stays open beside the chat of the first friend who accepts', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await openApp({ server, user: 'Alice', viewport: { width: 390, height: 740 } });
  await invite.click();
  await expect.element(dialog.getByRole('textbox')).toBeVisible();
  const [invitation] = (await actAs(server, 'Alice').call('listInvitations')).invitations;
  const body = { code: invitation?.code ?? '' };
  await actAs(server, 'Bob').call('redeemInvitation', { body });
  await expect.element(chatRowOf('Bob')).toBeInTheDocument();
  await expect.element(invite).not.toBeInTheDocument();
  await expect.element(dialog.getByRole('textbox')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(chatRowOf('Bob')).toHaveFocus();
});

test('the dialog says what is in the way of a link', async () => {
  const server = createServerWith(['Alice']);
  const { reload, browser } = await openApp({ server, user: 'Alice' });
  const restore = server.intercept('createInvitation', () =>
    Response.json({ code: 'quota_invitations', errorMessage: 'No.' }, { status: 403 }),
  );
  await invite.click();
  const full = t('invitation.full', { count: 20 });
  await expect.element(dialog.getByText(full)).toBeVisible();
  restore();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();

  const restoreList = server.intercept('listInvitations', noResponse);
  await invite.click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(t('invitation.failed'));
  browser.setOnline(false);
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(t('invitation.offline'));
  restoreList();
  browser.setOnline(true);
  await expect.element(dialog.getByRole('textbox')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();

  await actAs(server, 'Alice').call('changeSettings', { body: { whoMayWrite: 'nobody' } });
  await reload('/chatarea');
  await invite.click();
  await expect.element(dialog.getByText(t('invitation.off'))).toBeVisible();
  await dialog.getByRole('link', { name: t('invitation.toSettings') }).click();
  await expectPath('/settings');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('axe finds no violations in the first screen and its dialog, light or dark', async () => {
  const viewport = { width: 390, height: 740 };
  await openApp({ user: 'Alice', viewport, reducedMotion: true });
  await expect.element(invite).toBeVisible();
  await expectNoAxeViolations('the first screen');
  await invite.click();
  await expect.element(dialog.getByRole('textbox')).toBeVisible();
  await expectNoAxeViolations('the dialog');
});

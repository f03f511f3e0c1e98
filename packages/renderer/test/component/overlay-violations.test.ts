import { createTranslator } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { emulateDevice } from './support/media-emulation.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

async function openChatroom(): Promise<void> {
  const server = createServerWith(['Alice', 'Bob']);
  const path = `/chatarea/chats/${await createChatBetween(server, ['Alice', 'Bob'])}`;
  await openApp({ server, user: 'Alice', path, reducedMotion: true });
}

test('axe finds no violations in the open menu, light or dark, and it is visible in forced colors', async () => {
  await openApp({ user: 'Alice', reducedMotion: true });
  await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
  const menu = page.getByRole('menu');
  await expect.element(menu).toBeVisible();
  await expectNoAxeViolations('the menu');
  // In forced colors, the menu has the background of the page.
  await emulateDevice({ reducedMotion: true, forcedColors: true });
  expect(getComputedStyle(menu.element()).borderWidth).toBe('1px');
  await userEvent.keyboard('{ArrowDown}');
  const focused = page.getByCss('[role=menuitem]:focus');
  await expect.element(focused).toBeVisible();
  expect(getComputedStyle(focused.element()).outlineStyle).not.toBe('none');
});

test('axe finds no violations in the menu and the dialogs of a message, light or dark', async () => {
  await openChatroom();
  const openMenu = () => messageWith('Hello Bob!').click({ button: 'right' });
  await openMenu();
  await expect.element(page.getByRole('menu')).toBeVisible();
  await expectNoAxeViolations('the menu');
  await page.getByRole('menuitemcheckbox').first().click();
  await expect.element(page.getByRole('list', { name: t('reaction.list') })).toBeVisible();
  await expectNoAxeViolations('the reactions');
  await openMenu();
  await page.getByRole('menuitem', { name: t('message.details') }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  await expectNoAxeViolations('the details');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await openMenu();
  await page.getByRole('menuitem', { name: t('message.forward') }).click();
  await page.getByRole('option', { name: 'Bob', exact: false }).click();
  await expectNoAxeViolations('the forward dialog');
});

test('axe finds no violations in the menu of a chat and the dialog that deletes it, light or dark', async () => {
  const server = createServerWith(['Alice', 'Bob']);
  await createChatBetween(server, ['Alice', 'Bob']);
  await openApp({ server, user: 'Alice', reducedMotion: true });
  await chatRowOf('Bob').click({ button: 'right' });
  const item = page.getByRole('menuitem', { name: t('chatMenu.delete') });
  await expect.element(item).toBeVisible();
  await expectNoAxeViolations('the menu');
  await item.hover();
  await expectNoAxeViolations('the menu with a highlighted item');
  await item.click();
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  await expectNoAxeViolations('the dialog');
});

test('axe finds no violations in the open emoji panel, light or dark', async () => {
  await openChatroom();
  await page.getByRole('button', { name: t('composer.emoji') }).click();
  const search = page.getByLabelText(t('emoji.searchLabel'));
  await expect.element(page.getByRole('gridcell', { name: 'grinning face' })).toBeVisible();
  await expectNoAxeViolations('the emoji panel');
  await search.fill('cat');
  await expect.element(page.getByRole('gridcell').first()).toHaveAccessibleName('cat');
  await expectNoAxeViolations('search results');
  await search.fill('nothing is called like that');
  await expect.element(page.getByText(t('emoji.none')).first()).toBeVisible();
  await expectNoAxeViolations('a search without results');
});

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { focusOn } from './support/focus-on.ts';
import { messageBox, messageWith, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { expectPath } from './support/expect-path.ts';
import { BACKWARDS, reachWithKeys } from './support/reach-with-keys.ts';

const heading = page.getByRole('heading', { level: 1 });
/** The chats in the switcher. Its actions are in a group. */
const options = () => page.getByCss('[role="listbox"] > [role="option"]');
const selected = page.getByRole('option', { selected: true });

async function expectOptions(names: readonly string[]): Promise<void> {
  await expect
    .poll(() =>
      options()
        .elements()
        .map((option) => option.textContent?.trim()),
    )
    .toEqual(names);
}

/** Opens the chatroom with Anna as Alice, who has also written to Carla and then to Bob before. */
async function openNewestChat(language: 'en' | 'de') {
  const server = createServerWith(['Alice', 'Carla', 'Bob', 'Anna'], language);
  const rooms: Record<string, string> = {};
  for (const name of ['Carla', 'Bob', 'Anna']) {
    rooms[name] = await createChatBetween(server, ['Alice', name]);
  }
  const path = `/chatarea/chats/${rooms['Anna']}`;
  await openApp({ server, user: 'Alice', language, path, reducedMotion: true });
  await expect.element(messageWith('Hello Anna!')).toBeVisible();
  return { server, rooms };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`Ctrl+K opens the switcher, which finds and opens recent chats (${language})`, async () => {
    const { server, rooms } = await openNewestChat(language);
    const switcher = page.getByRole('combobox', { name: t('switcher.title') });
    await messageBox().fill('unsent');
    await userEvent.keyboard('{Control>}{Shift>}K{/Shift}{/Control}');
    await expect.element(switcher).not.toBeInTheDocument();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(switcher).toHaveFocus();
    await expectOptions(['Anna', 'Bob', 'Carla']);
    // The latest chat that is not open.
    await expect.element(selected).toHaveTextContent('Bob');
    await expectNoAxeViolations('the switcher');
    await userEvent.keyboard('{Escape}');
    await expect.element(switcher).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.element(messageBox()).toHaveValue('unsent');

    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(switcher).toHaveFocus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(selected).toHaveTextContent('Carla');
    // A new message does not change what is selected.
    await sendTextAs(server, 'Alice', rooms['Bob'] ?? '', 'To the top');
    await expectOptions(['Bob', 'Anna', 'Carla']);
    await expect.element(selected).toHaveTextContent('Carla');
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(selected).toHaveTextContent('Anna');

    await userEvent.keyboard('zzz');
    await expectOptions([]);
    await expect.element(page.getByText(t('search.none')).first()).toBeVisible();
    await switcher.fill('car');
    await expectOptions(['Carla']);
    await userEvent.keyboard('{Enter}');
    await expectPath(`/chatarea/chats/${rooms['Carla']}`);
    await expect.element(switcher).not.toBeInTheDocument();
    await expect.element(heading).toHaveTextContent('Carla');
  });

  test(`the question mark shows all shortcuts, but not while typing (${language})`, async () => {
    await openNewestChat(language);
    const dialog = page.getByRole('dialog', { name: t('shortcuts.title') });
    await messageBox().fill('');
    await userEvent.keyboard('?');
    await expect.element(messageBox()).toHaveValue('?');
    await messageBox().fill('');
    focusOn(heading);
    await userEvent.keyboard('{Shift>}?{/Shift}');
    await expect.element(messageBox()).toHaveValue('?');
    await messageBox().fill('');
    await reachWithKeys(page.getByRole('article'), BACKWARDS);
    // A window that is too small for all of them shows the first ones.
    await page.viewport(1280, 400);
    await userEvent.keyboard('{Shift>}?{/Shift}');
    await expect.element(dialog).toBeVisible();
    await expect.element(dialog.getByRole('definition').first()).toBeInViewport({ ratio: 1 });
    await expect.element(dialog.getByCss(':focus')).toBeInTheDocument();
    await page.viewport(1280, 800);
    await expect.element(dialog.getByText(t('shortcuts.switch'))).toBeVisible();
    await expectNoAxeViolations('the shortcuts');
    // Dialogs have keys of their own.
    await userEvent.keyboard('{Control>}k{/Control}{Alt>}{ArrowDown}{/Alt}');
    const switcher = page.getByRole('combobox', { name: t('switcher.title') });
    await expect.element(switcher).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(heading).toHaveTextContent('Anna');
    await page.getByRole('button', { name: t('frame.menu', { name: 'Alice' }) }).click();
    await page.getByRole('menuitem', { name: t('shortcuts.title') }).click();
    await expect.element(dialog).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
  });
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const switcher = page.getByRole('combobox', { name: t('switcher.title') });
  const help = page.getByRole('dialog', { name: t('shortcuts.title') });

  /** Opens the switcher and selects the first option that a text finds. */
  async function findFirst(text: string, name: string): Promise<void> {
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(switcher).toHaveFocus();
    await userEvent.keyboard(text);
    await expect.element(selected).toMatchTextContent(name);
  }

  test(`the switcher finds actions by words in both languages (${language})`, async () => {
    await openNewestChat(language);
    await messageBox().fill('unsent');
    await userEvent.keyboard('{Control>}k{/Control}');
    const actions = page.getByRole('group', { name: t('actions.title') });
    await expect
      .element(actions.getByRole('option', { name: t('frame.settings') }))
      .toBeInTheDocument();
    await expect.element(page.getByRole('option').last()).toHaveTextContent(t('shortcuts.title'));
    await userEvent.keyboard('{Escape}');
    await expect.element(switcher).not.toBeInTheDocument();

    const dark = t('actions.theme', { name: t('settings.themeDark') });
    await findFirst(t('settings.themeDark'), dark);
    await expectNoAxeViolations('the actions of the switcher');
    await userEvent.keyboard('{Enter}');
    await expect.element(switcher).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark');
    await findFirst(t('settings.themeDark'), dark);
    await expect.element(selected).toMatchTextContent(t('actions.current'));
    await userEvent.keyboard('{Escape}');
    await expect.element(switcher).not.toBeInTheDocument();

    await findFirst('keyboard', t('shortcuts.title'));
    await userEvent.keyboard('{Enter}');
    await expect.element(help).toBeVisible();
    await expect.element(switcher).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await expect.element(help).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();

    await findFirst('einstell', t('frame.settings'));
    await userEvent.keyboard('{Enter}');
    await expectPath('/settings');
    await findFirst('new', t('actions.newChat'));
    await userEvent.keyboard('{Enter}');
    await expectPath('/chatarea/exist');

    const [other, name] = language === 'de' ? ['en', 'English'] : ['de', 'Deutsch'];
    await findFirst(name, t('actions.language', { name }));
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => document.documentElement.lang).toBe(other);
    const there = createTranslator(language === 'de' ? 'en' : 'de');
    await expect.element(toastWith(there('settings.updated'))).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    await userEvent.keyboard('logout');
    await expectOptions([]);
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}{Backspace}');
    await userEvent.keyboard('log out');
    await expect.element(selected).toHaveTextContent(there('frame.logout'));
    await userEvent.keyboard('{Enter}');
    await expectPath('/');
  });

  test(`Ctrl+/ shows all shortcuts, also while typing (${language})`, async () => {
    await openNewestChat(language);
    await messageBox().fill('unsent');
    await userEvent.keyboard('{Control>}/{/Control}');
    await expect.element(help).toBeVisible();
    await expect.element(help.getByText(t('shortcuts.emoji'))).toBeInTheDocument();
    await userEvent.keyboard('{Control>}/{/Control}{Escape}');
    await expect.element(help).not.toBeInTheDocument();
    await expect.element(messageBox()).toHaveFocus();
    await expect.element(messageBox()).toHaveValue('unsent');
  });
}

test('Alt with the arrow keys opens the chats beside the open one, from the text box as well', async () => {
  await openNewestChat('en');
  await messageBox().fill('unsent');
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.element(heading).toHaveTextContent('Bob');
  await messageBox().click();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.element(heading).toHaveTextContent('Carla');
  // There is no chat below it.
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}{Alt>}{ArrowUp}{/Alt}');
  await expect.element(heading).toHaveTextContent('Bob');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await expect.element(heading).toHaveTextContent('Anna');
  await expect.element(messageBox()).toHaveValue('unsent');
  // There is no chat above it.
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}{Alt>}{ArrowDown}{/Alt}');
  await expect.element(heading).toHaveTextContent('Bob');
});

test('Home, End and the arrow keys move the focus in the chat list', async () => {
  await openNewestChat('en');
  const rows = page.getByCss('[data-chat]');
  focusOn(rows.first());
  for (const [key, name] of [
    ['End', 'Carla'],
    ['ArrowUp', 'Bob'],
    ['Home', 'Anna'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await expect.element(rows.filter({ hasText: name })).toHaveFocus();
  }
});

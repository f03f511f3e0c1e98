import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { focusOn } from './support/focus-on.ts';
import { chatRowOf, messageWith } from './support/locators.ts';
import { createImageFile, sendMediaAs } from './support/media-files.ts';
import { openApp } from './support/open-app.ts';

const SHIP = 'Wir nehmen die Donaudampfschifffahrt nach Köln.';

const searchField = page.getByRole('searchbox');
const listResults = (): Locator => page.getByCss('[data-result]');
const resultWith = (text: string): Locator => listResults().filter({ hasText: text });
const marks = () =>
  listResults()
    .getByCss('mark')
    .elements()
    .map((mark) => mark.textContent);
const resultTexts = () =>
  listResults()
    .elements()
    .map((result) => result.textContent);

/** The article of a message. */
const rowOf = (text: string): Locator =>
  page.getByRole('article').filter({ has: messageWith(text) });

/** Opens Alice's chat list: a long chat with Bob, and one with Schiffer. */
async function openSearchedChats(language: 'en' | 'de') {
  const server = createServerWith(['Alice', 'Bob', 'Schiffer'], language);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await sendTextAs(server, 'Bob', room, SHIP);
  await sendTextAs(server, 'Alice', room, 'Treffen in der Hauptstraße');
  const shipId = await sendTextAs(server, 'Bob', room, 'Ein Raumschiff!');
  await sendMediaAs(server, 'Alice', room, await createImageFile(60, 40));
  await sendTextAs(server, 'Bob', room, 'See https://parley.example/page');
  for (let i = 1; i <= 90; i += 1) await sendTextAs(server, 'Alice', room, `number ${i}.`);
  await createChatBetween(server, ['Alice', 'Schiffer'], 'Hello!');
  const app = await openApp({ server, user: 'Alice', language, reducedMotion: true });
  await expect.element(chatRowOf('Schiffer')).toBeVisible();
  return { ...app, room, shipId };
}

/** Chooses today, on which the focus is, in the calendar with this title. */
async function chooseToday(title: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  await expect.element(dialog).toBeVisible();
  await expect.poll(() => document.activeElement?.matches('[aria-current="date"]')).toBe(true);
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const filters = page.getByRole('group', { name: t('search.filters') });
  const chip = (key: string): Locator => page.getByRole('button', { name: t(`search.${key}`) });

  test(`the chat list finds chats at once, and messages from three letters on (${language})`, async () => {
    const { server, shipId } = await openSearchedChats(language);
    await searchField.fill('sc');
    await expect.poll(resultTexts).toEqual(['Schiffer']);
    const tooShort = t('search.tooShort_other', { count: 3 });
    await expect.element(page.getByText(tooShort)).toBeVisible();
    await searchField.fill('SCHIFF');
    await expect
      .poll(resultTexts)
      .toEqual([
        'Schiffer',
        expect.stringContaining('Ein Raumschiff!'),
        expect.stringContaining('Donaudampfschifffahrt'),
      ]);
    expect(marks()).toEqual(['schiff', 'schiff']);
    await expect.element(listResults().nth(1).getByCss('time')).toBeVisible();
    expect(resultTexts()[1]).toContain(t('search.from', { name: 'Bob' }));
    const found = [
      t('search.foundChats_one', { count: 1 }),
      t('search.foundMessages_other', { count: 2 }),
    ].join(' ');
    await expect.element(page.getByCss('output').filter({ hasText: found })).toBeInTheDocument();
    await expectNoAxeViolations('the results');

    for (const [query, text] of [
      ['koeln', 'Köln'],
      ['KOLN', 'Köln'],
      ['hauptstrasse', 'Hauptstraße'],
    ]) {
      await searchField.fill(query ?? '');
      await expect.poll(marks).toEqual([text]);
    }
    await expect.element(listResults()).toMatchTextContent(t('chatList.you'));

    await searchField.fill('raumschiff');
    await expect.poll(resultTexts).toHaveLength(1);
    const body = { messageId: shipId, content: 'Zwei Raumschiffe' };
    await actAs(server, 'Bob').call('editMessage', { body });
    await expect.element(resultWith('Zwei Raumschiffe')).toBeVisible();
    await actAs(server, 'Bob').call('deleteMessage', { body: { messageId: shipId } });
    await expect.poll(resultTexts).toEqual([]);
    await expect.element(page.getByText(t('search.none')).first()).toBeVisible();
    await expectNoAxeViolations('a search without results');
  });

  test(`filters narrow the results of the chat list down (${language})`, async () => {
    await openSearchedChats(language);
    await searchField.click();
    await chip('images').click();
    await expect.poll(resultTexts).toEqual([expect.stringContaining(t('search.image'))]);
    await chip('links').click();
    await expect.element(chip('images')).toHaveAttribute('aria-pressed', 'false');
    await expect
      .poll(resultTexts)
      .toEqual([expect.stringContaining('https://parley.example/page')]);
    await chip('fromMe').click();
    await expect.poll(resultTexts).toEqual([]);
    await expect.element(page.getByText(t('search.noneFiltered'))).toBeVisible();
    await chip('fromPartner').click();
    await expect.poll(resultTexts).toHaveLength(1);
    await chip('since').click();
    await chooseToday(t('search.sinceTitle'));
    await expect.poll(resultTexts).toHaveLength(1);
    await chip('before').click();
    await chooseToday(t('search.beforeTitle'));
    await expect.poll(resultTexts).toEqual([]);
    await expectNoAxeViolations('the filters');
    await page.getByRole('button', { name: t('search.removeFilters') }).click();
    await expect.element(chatRowOf('Bob')).toBeVisible();
    await expect.element(chatRowOf('Schiffer')).toBeVisible();
  });

  test(`the keyboard opens a message far up, and leaves the search (${language})`, async () => {
    await openSearchedChats(language);
    await searchField.fill('donau');
    await expect.poll(resultTexts).toHaveLength(1);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(listResults().first()).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(searchField).toHaveFocus();
    await searchField.fill('schiff');
    await expect.poll(resultTexts).toHaveLength(3);
    await userEvent.keyboard('{Enter}');
    await expect.element(listResults().first()).toHaveFocus();
    await userEvent.keyboard('{End}');
    await expect.element(resultWith('Donau')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(rowOf('Donaudampfschifffahrt')).toHaveFocus();
    await expect.element(rowOf('Donaudampfschifffahrt')).toBeInViewport();
    expect(messageWith('number 90.').elements()).toEqual([]);
    expect(resultTexts()).toHaveLength(3);

    await page.getByRole('button', { name: t('search.clear') }).click();
    await expect.element(searchField).toHaveFocus();
    await expect.element(searchField).toHaveValue('');
    await expect.element(chatRowOf('Bob')).toBeVisible();
    await expect.element(filters).not.toBeInTheDocument();
    await searchField.click();
    await expect.element(filters).toBeVisible();
    await searchField.fill('schiff');
    await expect.poll(resultTexts).toHaveLength(3);

    focusOn(resultWith('Donau'));
    await userEvent.keyboard('{Escape}');
    await expect.element(searchField).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(searchField).toHaveValue('');
    await expect.element(chatRowOf('Bob')).toBeVisible();
    await expect.element(filters).not.toBeInTheDocument();
    const isChatFocused = () => document.activeElement?.matches('[data-chat]');
    await userEvent.keyboard('{Escape}');
    await expect.poll(isChatFocused).toBe(true);

    // Nor does an unused field keep the user from the chats.
    await searchField.click();
    await expect.element(filters).toBeVisible();
    await userEvent.keyboard('{ArrowDown}');
    await expect.poll(isChatFocused).toBe(true);
    await expect.element(filters).not.toBeInTheDocument();
  });

  test(`the switcher finds messages, too (${language})`, async () => {
    await openSearchedChats(language);
    await userEvent.keyboard('{Control>}k{/Control}');
    const switcher = page.getByRole('combobox', { name: t('switcher.title') });
    await switcher.fill('donau');
    const option = page.getByRole('option', { selected: true });
    await expect.element(option).toMatchTextContent('Donaudampfschifffahrt');
    await expectNoAxeViolations('the switcher');
    await userEvent.keyboard('{Enter}');
    await expect.element(switcher).not.toBeInTheDocument();
    await expect.element(rowOf('Donaudampfschifffahrt')).toHaveFocus();
  });

  test(`without a connection, the search covers this device and says so (${language})`, async () => {
    const server = createServerWith(['Alice', 'Bob', 'Carla'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob'], 'A message about ships');
    await createChatBetween(server, ['Alice', 'Carla'], 'More ships elsewhere');
    const path = `/chatarea/chats/${room}`;
    const { browser } = await openApp({ server, user: 'Alice', path, language });
    await expect.element(messageWith('A message about ships')).toBeVisible();
    await expect.element(chatRowOf('Carla')).toBeVisible();
    browser.setOnline(false);
    await searchField.fill('ships');
    const note = page.getByText(t('search.offline'));
    await expect.element(note).toBeVisible();
    await expect.poll(resultTexts).toHaveLength(1);
    await listResults().click();
    await expect.element(rowOf('A message about ships')).toHaveFocus();
    expect(location.pathname).toBe(path);
    browser.setOnline(true);
    await expect.element(note).not.toBeInTheDocument();
    await expect.poll(resultTexts).toHaveLength(2);
  });
}

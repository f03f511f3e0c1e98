import {
  createTranslator,
  TEST_LANGUAGES,
  type TestLanguage,
  type Translator,
} from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { focusOn } from './support/focus-on.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { chooseFromRoomMenu } from './support/room-menu.ts';

const DAY = 24 * 60 * 60_000;
const SHIP = 'Die Donaudampfschifffahrt macht Spaß';

const rowWith = (text: string): Locator => page.getByRole('article').filter({ hasText: text });

/** The message that is selected in the results. */
const selectedMessage = (): Locator => page.getByCss('[data-found] [data-message]');

const marksIn = (message: Locator) =>
  message
    .getByCss('mark')
    .elements()
    .map((mark) => mark.textContent);

/** Opens a chatroom with 110 messages between the first ones and the newest ones. */
async function openLongChatroom(language: TestLanguage) {
  const server = createServerWith(['Alice', 'Bob'], language);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  await sendTextAs(server, 'Bob', room, SHIP);
  for (let i = 1; i <= 110; i += 1) await sendTextAs(server, 'Alice', room, `number ${i}.`);
  const links = 'Two ships (Schiffe), https://schiff.example/plan';
  await sendTextAs(server, 'Alice', room, links);
  const newest = await sendTextAs(server, 'Bob', room, 'Das schönste SCHIFF');
  await actAs(server, 'Alice').call('markAsRead', { params: { id: room } });
  const path = `/chatarea/chats/${room}`;
  const app = await openApp({ server, user: 'Alice', path, language, reducedMotion: true });
  await expect.element(messageWith('Das schönste SCHIFF')).toBeVisible();
  return { ...app, room, path, newest };
}

/** The controls of the search in the open chatroom. */
function searchBar(t: Translator) {
  // The chat list has a search, too.
  const bar = page.getByCss(`search[aria-label="${t('roomSearch.title')}"]`);
  const field = bar.getByRole('textbox', { name: t('roomSearch.title') });
  const count = bar.getByCss('output');
  return {
    bar,
    field,
    count,
    older: bar.getByRole('button', { name: t('roomSearch.older') }),
    newer: bar.getByRole('button', { name: t('roomSearch.newer') }),
    filter: (name: string) => bar.getByRole('button', { name: t(`search.${name}`) }),
    expectPlace: (current: number, total: number) =>
      expect.element(count).toMatchTextContent(t('roomSearch.place', { current, total })),
    open: async (): Promise<void> => {
      focusOn(messageBox());
      await userEvent.keyboard('{Control>}f{/Control}');
      await expect.element(field).toHaveFocus();
    },
  };
}

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  test(`the search in a chatroom steps through what it finds, also far up (${language})`, async () => {
    await openLongChatroom(language);
    const { older, newer, field, expectPlace, open } = searchBar(t);
    await open();
    await userEvent.keyboard('schiff');
    await expectPlace(1, 3);
    await expect.element(selectedMessage()).toMatchTextContent('Das schönste SCHIFF');
    expect(marksIn(selectedMessage())).toEqual(['SCHIFF']);
    // All results are highlighted, also within links.
    expect(marksIn(messageWith('Two ships'))).toEqual(['Schiff', 'schiff']);
    expect(messageWith('Two ships').getByCss('a mark').elements()).toHaveLength(1);
    await expect.element(field).toHaveFocus();
    await expectNoAxeViolations('the search in a chatroom');

    await userEvent.keyboard('{Enter}');
    await expectPlace(2, 3);
    await expect.element(selectedMessage()).toMatchTextContent('Two ships');
    await userEvent.keyboard('{F3}');
    await expectPlace(3, 3);
    await expect.element(selectedMessage()).toMatchTextContent(SHIP);
    expect(marksIn(selectedMessage())).toEqual(['schiff']);
    await expect.element(selectedMessage()).toBeInViewport();
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard('{F3}');
    await expectPlace(1, 3);
    await userEvent.keyboard('{Shift>}{F3}{/Shift}');
    await expectPlace(3, 3);
    await newer.click();
    await expectPlace(2, 3);
    await older.click();
    await expectPlace(3, 3);
    await expect.element(selectedMessage()).toBeInViewport();
  });

  test(`the search in a chatroom finds umlauts and two letters, and has filters (${language})`, async () => {
    const { server, newest } = await openLongChatroom(language);
    const { older, newer, field, count, filter, expectPlace, open } = searchBar(t);
    await open();
    for (const [text, found] of [
      ['schoenste', 'Das schönste SCHIFF'],
      ['spass', SHIP],
      ['fah spa', SHIP],
      ['zz', undefined],
      ['tw', 'Two ships'],
    ] as const) {
      await field.fill(text);
      if (found === undefined) await expect.element(count).toHaveTextContent(t('roomSearch.none'));
      else await expect.element(selectedMessage()).toMatchTextContent(found);
    }

    await field.fill('schiff');
    await filter('fromMe').click();
    await expectPlace(1, 1);
    await expect.element(selectedMessage()).toMatchTextContent('Two ships');
    // There is no other result to go to.
    for (const button of [older, newer]) {
      await expect.element(button).toBeDisabled();
      focusOn(button);
      await userEvent.keyboard('{Enter}');
      await expect.element(button).toHaveFocus();
    }
    focusOn(field);
    await userEvent.keyboard('{Enter}');
    await expectPlace(1, 1);
    await filter('fromPartner').click();
    await expectPlace(1, 2);
    for (const button of [older, newer]) await expect.element(button).toBeEnabled();
    await filter('fromPartner').click();
    await filter('links').click();
    await expectPlace(1, 1);
    await field.fill('');
    await expectPlace(1, 1);
    await filter('links').click();
    await expect.element(count).toHaveTextContent('');

    await field.fill('schiff');
    await expectPlace(1, 3);
    await actAs(server, 'Bob').call('deleteMessage', { body: { messageId: newest } });
    const left = t('roomSearch.found_other', { count: 2 });
    await expect.element(count).toMatchTextContent(left);
    await userEvent.keyboard('{Enter}');
    await expect.element(selectedMessage()).toMatchTextContent('Two ships');
  });

  test(`Escape closes the search at the message that was found (${language})`, async () => {
    const { path } = await openLongChatroom(language);
    const { bar, field, expectPlace, open } = searchBar(t);
    await messageBox().fill('unsent');
    await open();
    await userEvent.keyboard('two ships');
    await expectPlace(1, 1);
    await userEvent.keyboard('{Escape}');
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(rowWith('Two ships')).toHaveFocus();
    expect(page.getByCss('mark').elements()).toEqual([]);
    await expect.element(messageBox()).toHaveValue('unsent');
    await userEvent.keyboard('{Control>}f{/Control}');
    await expect.element(field).toHaveValue('');
    await userEvent.keyboard('{Escape}');
    await expect.element(rowWith('Two ships')).toHaveFocus();
    expect(location.pathname).toBe(path);
    await chooseFromRoomMenu(t, 'roomSearch.title');
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
    await expect.element(field).toHaveFocus();
  });

  test(`the calendar jumps to the first message of a day or the next one (${language})`, async () => {
    // The calendar shows the days of one month.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2030, 4, 15, 12) });
    const { browser, reload } = await openLongChatroom(language);
    // All messages are from three days ago.
    vi.setSystemTime(Date.now() + 3 * DAY);
    await reload();
    await expect.element(messageWith('Das schönste SCHIFF')).toBeVisible();
    const dialog = page.getByRole('dialog', { name: t('calendar.jump') });
    const grid = dialog.getByRole('grid');
    const dayOf = (offset: number): string => {
      const time = new Date();
      time.setDate(time.getDate() + offset);
      return time.toLocaleDateString('sv-SE');
    };
    const focused = () => document.activeElement?.getAttribute('data-day') ?? '';
    const press = async (key: string, expected: string): Promise<void> => {
      await userEvent.keyboard(`{${key}}`);
      await expect.poll(focused).toBe(expected);
    };
    const openCalendar = async (): Promise<void> => {
      await chooseFromRoomMenu(t, 'calendar.open');
      await expect.element(grid).toBeVisible();
      await expect.poll(focused).toBe(dayOf(0));
    };

    await openCalendar();
    await press('ArrowRight', dayOf(0));
    await press('ArrowLeft', dayOf(-1));
    await press('ArrowUp', dayOf(-8));
    await press('ArrowDown', dayOf(-1));
    await userEvent.keyboard('{PageUp}');
    await expect.poll(() => focused().slice(0, 7)).not.toBe(dayOf(-1).slice(0, 7));
    expect(grid.getByRole('button', { disabled: true }).elements()).toEqual([]);
    await userEvent.keyboard('{PageDown}{Home}');
    // Weeks begin on Monday in German and on Sunday in the browser's English.
    await expect
      .poll(() => new Date(`${focused()}T12:00`).getDay())
      .toBe(language === 'de' ? 1 : 0);
    await expectNoAxeViolations('the calendar');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(page.getByRole('button', { name: t('roomSearch.title') })).toHaveFocus();

    // An earlier day leads to the first message after it.
    await openCalendar();
    await userEvent.keyboard('{PageUp}{Enter}');
    await expect.element(rowWith('Hello Bob!')).toHaveFocus();
    await expect.element(rowWith('Hello Bob!')).toBeInViewport();
    // After some days there are no messages.
    await openCalendar();
    await userEvent.keyboard('{ArrowLeft}{Enter}');
    await expect.element(page.getByText(t('calendar.none'))).toBeVisible();
    await expect.element(messageWith('Das schönste SCHIFF')).toBeInViewport();
    await openCalendar();
    await grid.getByCss(`[data-day="${dayOf(-3)}"]`).click();
    await expect.element(rowWith('Hello Bob!')).toHaveFocus();

    browser.setOnline(false);
    await openCalendar();
    const note = dialog.getByText(t('search.offline'));
    await expect.element(note).toBeVisible();
    await expectNoAxeViolations('the calendar without a connection');
    await userEvent.keyboard('{ArrowLeft}{Enter}');
    await expect.element(page.getByText(t('calendar.noneOffline'))).toBeVisible();
    await openCalendar();
    browser.setOnline(true);
    await expect.element(note).not.toBeInTheDocument();
  });
}

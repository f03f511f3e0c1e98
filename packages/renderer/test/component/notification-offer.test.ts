import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Host } from '../../src/host/host.ts';
import { toastError } from '../../src/ui/show-toast.ts';
import { createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { closeToast } from './support/close-toast.ts';
import { chatRowOf, toastWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { pauseToasts } from './support/pause-toasts.ts';

const open = async (host: Partial<Host> = {}, language: 'en' | 'de' = 'en') => {
  const server = createServerWith(['Alice', 'Bob'], language);
  const room = await createChatBetween(server, ['Alice', 'Bob']);
  const viewport = { width: 390, height: 740 };
  const app = await openApp({
    server,
    user: 'Alice',
    host,
    language,
    viewport,
    offersNotifications: true,
    reducedMotion: true,
  });
  await expect.element(chatRowOf('Bob')).toBeVisible();
  return { ...app, room };
};

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);
  const offer = page.getByText(t('notifications.offer'), { exact: true });

  test(`notifications are offered once, above the list, after the first message (${language})`, async () => {
    let state: ReturnType<Host['notificationState']> = 'not-asked';
    const requestNotifications = vi.fn<Host['requestNotifications']>(async () => {
      state = 'granted';
      return state;
    });
    const { server, room, reload } = await open(
      { notificationState: () => state, requestNotifications },
      language,
    );
    await expect.element(offer).not.toBeInTheDocument();
    pauseToasts();
    toastError('A toast');
    await expect.element(toastWith('A toast')).toBeVisible();
    await sendTextAs(server, 'Bob', room, 'Hello Alice!');
    await expect.element(offer).toBeVisible();
    // The toast that was there makes room for it, above the only row.
    const decline = page.getByRole('button', { name: t('notifications.offerLater') });
    const edges = () => [
      decline.element().getBoundingClientRect().bottom,
      toastWith('A toast').element().getBoundingClientRect().top,
      toastWith('A toast').element().getBoundingClientRect().bottom,
      chatRowOf('Bob').element().getBoundingClientRect().top,
    ];
    await expect
      .poll(() => edges().every((edge, i, all) => i === 0 || edge >= (all[i - 1] ?? 0)))
      .toBe(true);
    await closeToast('A toast');
    const { bottom } = offer.element().getBoundingClientRect();
    const list = page.getByRole('navigation', { name: t('chatList.title') });
    expect(bottom).toBeLessThanOrEqual(list.element().getBoundingClientRect().top);
    // An own message does not end the offer.
    await sendTextAs(server, 'Alice', room, 'Hello again');
    await reload();
    await page.getByRole('button', { name: t('notifications.turnOn'), exact: true }).click();
    expect(requestNotifications).toHaveBeenCalledOnce();
    await expect.element(offer).not.toBeInTheDocument();
    await expect.element(chatRowOf('Bob')).toHaveFocus();
    state = 'not-asked';
    await reload();
    await expect.element(chatRowOf('Bob')).toBeVisible();
    expect(offer.elements()).toEqual([]);
  });
}

const t = createTranslator('en');
const offer = page.getByText(t('notifications.offer'), { exact: true });

test('the offer of notifications can be declined for good', async () => {
  const requestNotifications = vi.fn<Host['requestNotifications']>(async () => 'denied');
  const { server, room, reload } = await open({ requestNotifications });
  await sendTextAs(server, 'Bob', room, 'Hello Alice!');
  await expect.element(offer).toBeVisible();
  await expectNoAxeViolations('the offer');
  await page.getByRole('button', { name: t('notifications.offerLater') }).click();
  await expect.element(offer).not.toBeInTheDocument();
  await sendTextAs(server, 'Bob', room, 'Still there?');
  await reload();
  await expect.element(chatRowOf('Bob')).toMatchTextContent('Still there?');
  expect(offer.elements()).toEqual([]);
  expect(requestNotifications).not.toHaveBeenCalled();
});

test.each(['granted', 'denied', 'unsupported'] as const)(
  'no notifications are offered where they are %s',
  async (state) => {
    const { server, room } = await open({ notificationState: () => state });
    await sendTextAs(server, 'Bob', room, 'Hello Alice!');
    await expect.element(chatRowOf('Bob')).toMatchTextContent('Hello Alice!');
    expect(offer.elements()).toEqual([]);
  },
);

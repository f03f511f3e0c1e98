import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { connectAs } from './support/act-as.ts';
import { openChatOf } from './support/open-chat-of.ts';

const DAY = 24 * 60 * 60_000;

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the header shows that a partner is online or typing, and later when they were last seen (${language})`, async () => {
    const viewport = { width: 360, height: 740 };
    const { server, room, browser, reload } = await openChatOf('Alice', { language, viewport });
    const status = page.getByCss('[data-status]');
    const device = connectAs(server, 'Bob');
    device?.signal('presence', { isActive: true });
    await expect.element(status).toHaveTextContent(t('room.online'));
    device?.signal('typing', { chatroom: room });
    await expect.element(status).toHaveTextContent(t('room.typing'));

    // Without a connection, it is not known.
    browser.setOnline(false);
    await expect.element(status).not.toBeInTheDocument();
    browser.setOnline(true);
    await expect.element(status).toHaveTextContent(t('room.online'));

    const now = Date.now();
    device?.close();
    await expect.element(status).toHaveTextContent(t('room.lastSeenNow'));
    vi.useFakeTimers({ toFake: ['Date'], now: now + DAY });
    await reload();
    await expect.element(status).toHaveTextContent(t('room.lastSeenYesterday'));
    vi.useFakeTimers({ toFake: ['Date'], now: now + 3 * DAY });
    await reload();
    const earlier = new RegExp(t('room.lastSeenOn', { date: '.+' }));
    await expect.element(status).toMatchTextContent(earlier);
    const line = status.element();
    expect(line.scrollWidth).toBe(line.clientWidth);
  });
}

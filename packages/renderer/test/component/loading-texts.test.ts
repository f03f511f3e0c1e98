import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createServerWith } from './support/act-as.ts';
import { closeApp, openApp } from './support/open-app.ts';

for (const language of TEST_LANGUAGES) {
  test(`each screen shows a visible loading text (${language})`, async () => {
    const t = createTranslator(language);
    const server = createServerWith(['Alice'], language);
    const held = Promise.withResolvers<void>();
    let requests = 0;
    server.intercept('getCurrentUser', async (_, next) => {
      requests += 1;
      // The first request of each page precedes any screen.
      if (requests > 1) await held.promise;
      return next();
    });
    for (const endpoint of ['listChats', 'getChatroom', 'listSessions'] as const) {
      server.intercept(endpoint, async (_, next) => {
        await held.promise;
        return next();
      });
    }
    for (const [path, key] of [
      ['/chatarea', 'chatList.loading'],
      ['/chatarea/chats/01995a3e-5efb-7a0b-8a55-2f4b8b7f9c11', 'room.loading'],
      ['/settings', 'settings.loading'],
      ['/profile', 'profile.loading'],
    ] as const) {
      await closeApp();
      requests = 0;
      await openApp({ server, user: 'Alice', path, language });
      const text = page.getByText(t(key), { exact: true });
      await expect.element(text).toBeVisible();
      // A text for screen readers only would have a width of one pixel.
      expect(text.element().getBoundingClientRect().width, key).toBeGreaterThan(40);
    }
    held.resolve();
    await expect.element(page.getByText('alice@example.org')).toBeVisible();
  });
}

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { createChatBetween, createServerWith } from './support/act-as.ts';
import { expectPath } from './support/expect-path.ts';
import { openApp } from './support/open-app.ts';

/** Returns the place and the size of the back link. */
function measureBackLink() {
  const link = page.getByCss('[data-screen-header] a').first().element();
  const { left, top, width, height } = link.getBoundingClientRect();
  return { left, top, width, height };
}

/** Returns the start of the title, and the size of its text. */
function measureTitle() {
  const heading = page.getByCss('[data-screen-header] h1').element();
  const { left } = heading.getBoundingClientRect();
  return { left, fontSize: getComputedStyle(heading).fontSize };
}

const LINK = { left: 16, top: 11.5, width: 40, height: 40 };

for (const language of TEST_LANGUAGES) {
  test(`every screen has its back link on the left and its title beside it (${language})`, async () => {
    const t = createTranslator(language);
    const server = createServerWith(['Alice', 'Bob', 'Carla'], language);
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    const { reload } = await openApp({ server, user: 'Bob', language, reducedMotion: true });
    const screens = [
      ['/profile', 'profile.back', 'profile.title'],
      ['/settings', 'settings.back', 'settings.title'],
      ['/about-us', 'about.back', 'about.title'],
      ['/share', 'about.back', 'share.title'],
      ['/privacy', 'privacy.back', 'privacy.title'],
      ['/chatarea/exist', 'findUser.close', 'findUser.title'],
      ['/chatarea/chats/new-chatroom/Carla', 'newChatroom.back', 'newChatroom.title'],
      [`/chatarea/chats/${room}/media`, 'gallery.back', 'gallery.title'],
    ] as const;
    await page.viewport(360, 740);
    for (const [path, back, title] of screens) {
      await reload(path);
      await expect
        .element(page.getByRole('heading', { level: 1, name: t(title), exact: true }))
        .toBeVisible();
      const link = page.getByRole('link', { name: t(back), exact: true });
      await expect.element(link).toBeVisible();
      const header = page.getByCss('[data-screen-header]').element();
      expect(header.querySelector('a')).toBe(link.element());
      // The screen slides in.
      await expect.poll(measureBackLink).toEqual(LINK);
      expect(measureTitle()).toEqual({ left: 64, fontSize: '20px' });
    }
    // The one of a chatroom has the partner's name in its center.
    await reload(`/chatarea/chats/${room}`);
    await expect.element(page.getByRole('link', { name: t('room.back') })).toBeVisible();
    await expect.poll(measureBackLink).toEqual(LINK);
  });
}

test('the back link of the privacy policy returns to the form that it was opened from', async () => {
  const t = createTranslator('en');
  const { reload } = await openApp({ path: '/register' });
  const heading = page.getByRole('heading', { level: 1 });
  const back = page.getByRole('link', { name: t('privacy.back') });
  await page.getByRole('link', { name: t('frame.privacy'), exact: true }).click();
  await expect.element(heading).toHaveTextContent(t('privacy.title'));
  const { length } = history;
  await back.click();
  await expectPath('/register');
  expect(history.length).toBe(length);

  sessionStorage.clear();
  await reload('/privacy');
  await back.click();
  await expectPath('/');
  await expect.element(heading).toHaveTextContent(t('login.title'));
});

import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createServerWith, sendTextAs } from './support/act-as.ts';
import { messageBox, messageWith } from './support/locators.ts';
import { openApp } from './support/open-app.ts';
import { openChatOf } from './support/open-chat-of.ts';

for (const language of TEST_LANGUAGES) {
  const t = createTranslator(language);

  test(`the best match of an emoji search comes first, and Enter inserts it (${language})`, async () => {
    await openChatOf('Alice', { language });
    const panel = page.getByRole('dialog', { name: t('composer.emoji') });
    await page.getByRole('button', { name: t('composer.emoji') }).click();
    const label = panel.getByCss('[data-epr-part="category-label"]').first();
    await expect.element(label).toHaveStyle({ textTransform: 'none' });
    expect(getComputedStyle(label.element()).fontFamily).toMatch(/Inter/);
    const search = panel.getByPlaceholder(t('emoji.search'));
    const cat = language === 'en' ? 'cat' : 'Katze';
    await search.fill(cat);
    await expect.element(panel.getByRole('gridcell').first()).toHaveAccessibleName(cat);
    await userEvent.keyboard('{Enter}');
    await expect.element(messageBox()).toHaveValue('🐈');

    // The custom flag is found, too, and all categories are back after the search.
    await search.fill(t('emoji.circassia').slice(0, 5));
    const flag = panel.getByRole('gridcell', { name: t('emoji.circassia'), exact: true });
    await expect.element(flag).toBeVisible();
    await search.fill('');
    const categories = panel.getByCss('[data-epr-part="category"]');
    await expect.element(categories.filter({ hasText: t('emoji.people') })).toBeInTheDocument();
  });
}

test('narrow windows have no emoji picker', async () => {
  const t = createTranslator('en');
  await openChatOf('Alice', { viewport: { width: 1023, height: 800 } });
  const button = page.getByRole('button', { name: t('composer.emoji') });
  await expect.element(messageBox()).toBeVisible();
  await expect.element(button).not.toBeInTheDocument();
  await page.viewport(1024, 800);
  await expect.element(button).toBeVisible();
});

test('emoji whose image cannot be loaded are drawn by the system', async () => {
  localStorage.setItem('parley.emoji-style', '"twitter"');
  const requested: string[] = [];
  await openChatOf('Alice', {}, async (server, room) => {
    server.intercept('getEmoji', (request) => {
      requested.push(new URL(request.url).pathname);
      return new Response(null, { status: 404 });
    });
    await sendTextAs(server, 'Alice', room, 'Off we go 🚀');
  });
  await expect.poll(() => requested).toContain('/api/emoji/twitter/1f680.svg');
  await expect.element(messageWith('Off we go 🚀')).toBeVisible();
  expect(page.getByCss('[data-drawn]').elements()).toEqual([]);
});

test('an emoji URL of the operator adds the styles Apple and Facebook', async () => {
  const t = createTranslator('en');
  const server = createServerWith(['Alice']);
  server.config.emojiUrl = 'https://emoji.example.org/{style}/{code}.png';
  const viewport = { width: 320, height: 700 };
  await openApp({ server, user: 'Alice', path: '/settings', viewport });
  const style = page.getByRole('radiogroup', { name: t('settings.emoji') });
  for (const name of ['Native', 'Twitter', 'Google', 'Apple', 'Facebook']) {
    await expect.element(style.getByRole('radio', { name })).toBeVisible();
  }
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createI18n, switchLanguage } from './i18n.ts';

const page = { documentElement: { lang: '' } };

beforeEach(() => vi.stubGlobal('document', page));
afterEach(() => vi.unstubAllGlobals());

test('shows the initial language and sets it on the document', async () => {
  const i18n = await createI18n('de');
  expect(i18n.t('login.submit')).toBe('Anmelden');
  expect(page.documentElement.lang).toBe('de');
});

test('switching the language loads its texts, shows them and updates the document', async () => {
  const i18n = await createI18n('en');
  expect(i18n.hasResourceBundle('de', 'translation')).toBe(false);
  await switchLanguage(i18n, 'de');
  expect(i18n.t('error.rateLimitedSeconds', { count: 1 })).toContain('1 Sekunde ');
  expect(page.documentElement.lang).toBe('de');
  await switchLanguage(i18n, 'en');
  expect(i18n.t('app.greeting', { name: '<Ada>' })).toBe('Hello, <Ada>!');
  expect(page.documentElement.lang).toBe('en');
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createI18n, loadScreenTexts, switchLanguage } from './i18n.ts';

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
  expect(i18n.t('settings.title')).toBe('Einstellungen');
  expect(page.documentElement.lang).toBe('de');
  await switchLanguage(i18n, 'en');
  expect(i18n.t('app.greeting', { name: '<Ada>' })).toBe('Hello, <Ada>!');
  expect(page.documentElement.lang).toBe('en');
});

test('loads the texts of the screens in the current language separately', async () => {
  const i18n = await createI18n('de');
  expect(i18n.exists('privacy.title')).toBe(false);
  await loadScreenTexts(i18n, 'information');
  expect(i18n.t('privacy.title')).toBe('Datenschutzerklärung');
  expect(i18n.t('privacy.loading')).toBe('Datenschutzerklärung wird geladen …');
  expect((await createI18n('de')).exists('privacy.title')).toBe(false);
});

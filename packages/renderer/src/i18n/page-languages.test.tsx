import { LANGUAGE_CODES, LANGUAGES, loadTexts } from '@parley/texts';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatDay, formatFull, formatWhen } from '../format/dates.ts';
import { AuthFrame } from '../shared/account-forms/AuthFrame.tsx';
import { createI18n, switchLanguage } from './i18n.ts';

const page = { documentElement: { lang: '' } };

beforeEach(() => vi.stubGlobal('document', page));
afterEach(() => vi.unstubAllGlobals());

describe.each(LANGUAGE_CODES)('in %s', (language) => {
  test('the page shows the texts of the language and sets it on the document', async () => {
    const { app, error } = await loadTexts(language, 'app');
    const i18n = await createI18n('en');
    await switchLanguage(i18n, language);
    expect(page.documentElement.lang).toBe(language);
    expect(i18n.t('app.greeting', { name: 'Ada' })).toBe(app.greeting.replace('{{name}}', 'Ada'));
    expect(i18n.t('error.rateLimitedSeconds', { count: 7 })).toBe(
      error.rateLimitedSeconds_other.replace('{{count}}', '7'),
    );
  });

  test('the page offers every language by its own name and marks the current one', async () => {
    const html = renderToStaticMarkup(
      <I18nextProvider i18n={await createI18n(language)}>
        <MemoryRouter>
          <AuthFrame title="">{null}</AuthFrame>
        </MemoryRouter>
      </I18nextProvider>,
    );
    const offered = [...html.matchAll(/<button[^>]* lang="(\w+)" aria-pressed="(\w+)">([^<]+)</g)];
    expect(offered.map(([, code, isPressed, name]) => [code, isPressed, name])).toEqual(
      LANGUAGE_CODES.map((code) => [code, String(code === language), LANGUAGES[code].name]),
    );
  });

  test('dates and times are formatted', () => {
    const now = new Date(2025, 2, 20, 18, 30);
    const iso = new Date(2024, 2, 5, 15, 5).toISOString();
    for (const text of [
      formatWhen(iso, language, now),
      formatDay(iso, language, now),
      formatFull(iso, language),
    ]) {
      expect(text).toMatch(/\b5\b.*2024/);
    }
  });
});

test('falls back to the default language for an unknown language', async () => {
  const i18n = await createI18n('de');
  await switchLanguage(i18n, 'xx' as never);
  expect(page.documentElement.lang).toBe('en');
});

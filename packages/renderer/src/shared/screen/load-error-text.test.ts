import { ApiError } from '@parley/client';
import { loadTexts } from '@parley/texts';
import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { loadErrorText } from './load-error-text.ts';

describe.each([
  ['en', /connection/],
  ['de', /Verbindung/],
] as const)('in %s', async (language, connection) => {
  const texts = await loadTexts(language, 'app');

  async function textOf(error: unknown): Promise<string> {
    const i18n = createInstance();
    await i18n.init({ lng: language, resources: { [language]: { translation: texts } } });
    return loadErrorText(i18n.t, error);
  }

  test.each([
    ['there was no response', new ApiError('offline', 0, '')],
    ['a captive portal responded', new ApiError('unreadable', 200, '')],
    ['a filter refused', new ApiError('invalid_request', 451, '', { isForeign: true })],
  ])('asks to check the connection if %s', async (_, error) => {
    const text = await textOf(error);
    expect(text).toBe(texts.error.offline);
    expect(text).toMatch(connection);
  });

  test.each([
    ['internal', 500],
    ['unavailable', 503],
    ['storage_full', 507],
  ] as const)(
    'names the server and not the connection as the cause of %s',
    async (code, status) => {
      const text = await textOf(new ApiError(code, status, ''));
      expect(text).toBe(texts.error.serverTrouble);
      expect(text).not.toMatch(connection);
    },
  );

  test('shows how long to wait after too many requests', async () => {
    const text = await textOf(new ApiError('rate_limited', 429, '', { retryAfter: 30 }));
    expect(text).toContain('30');
    expect(text).not.toMatch(connection);
  });
});

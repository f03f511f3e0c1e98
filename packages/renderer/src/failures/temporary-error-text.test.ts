import { ApiError } from '@parley/client';
import { loadTexts, type Language } from '@parley/texts';
import { createInstance } from 'i18next';
import { expect, test } from 'vitest';
import { temporaryErrorText } from './temporary-error-text.ts';

async function createTexts(language: Language) {
  const i18n = createInstance();
  const resources = { [language]: { translation: await loadTexts(language, 'app') } };
  await i18n.init({ lng: language, resources });
  return i18n.t;
}

async function errorTextOf(language: Language, retryAfter: number): Promise<string | undefined> {
  const t = await createTexts(language);
  return temporaryErrorText(t, new ApiError('rate_limited', 429, 'Too many', { retryAfter }));
}

test.each([
  [1, 'Too many attempts. Try again in 1 second.'],
  [89, 'Too many attempts. Try again in 89 seconds.'],
  [90, 'Too many attempts. Try again in 2 minutes.'],
  [3_556, 'Too many attempts. Try again in 60 minutes.'],
])('shows a wait of %i seconds in seconds or minutes', async (seconds, text) => {
  expect(await errorTextOf('en', seconds)).toBe(text);
});

test('shows a long wait in minutes in German', async () => {
  expect(await errorTextOf('de', 3_556)).toBe(
    'Zu viele Versuche. Versuche es in 60 Minuten noch einmal.',
  );
});

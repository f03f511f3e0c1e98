import { ApiError, parseErrorResponse } from '@parley/client';
import { loadTexts } from '@parley/texts';
import { TEST_LANGUAGES } from '@parley/texts/translator';
import { createInstance } from 'i18next';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { explainFailure } from './explain-failure.ts';

const ORIGIN = 'http://192.0.2.7:3000';
const PUBLIC_URL = 'https://chat.example.org';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(TEST_LANGUAGES)('in %s', async (language) => {
  const { error: common } = await loadTexts(language, 'app');
  const { cause } = await loadTexts(language, 'causes');

  async function explain(error: unknown): Promise<string | undefined> {
    const i18n = createInstance();
    const translation = structuredClone(await loadTexts(language, 'app'));
    await i18n.init({
      lng: language,
      resources: { [language]: { translation } },
      interpolation: { escapeValue: false },
    });
    return explainFailure({ i18n, origin: ORIGIN }, error);
  }

  /** The error of a response of the server, or of a proxy that sends no code. */
  const response = (status: number, body?: object) => parseErrorResponse(status, body, null);
  const portal = new ApiError('unreadable', 200, '');

  test.each([
    ['no response', new ApiError('offline', 0, ''), common.offline],
    ['a login page of the network', portal, cause.intercepted],
    ["a filter's refusal", response(451), cause.intercepted],
    ["a proxy's own login", response(401), cause.intercepted],
    ['a network that needs a login', response(511), cause.intercepted],
    ['a proxy whose server is down', response(502), cause.unavailable],
    ['a server that restarts', response(503, { code: 'unavailable' }), cause.unavailable],
    ["a proxy's limit of the size", response(413), cause.proxyTooLarge],
    ["the server's limit of the size", response(413, { code: 'too_large' }), undefined],
    ["a proxy's limit of requests", response(429), common.rateLimited],
    ['a full disk', response(507, { code: 'storage_full' }), cause.storageFull],
    ['a fault of the server', response(500, { code: 'internal' }), undefined],
    ['a fault of the app', new TypeError(), undefined],
  ])('names the cause of %s', async (_, error, text) => {
    expect(await explain(error)).toBe(text);
  });

  test.each([
    [120, cause.networkLimitMinutes_other.replace('{{count}}', '2')],
    [30, cause.networkLimitSeconds_other.replace('{{count}}', '30')],
    [null, cause.networkLimit],
  ])('says that others may have used up a limit, and waits %s seconds', async (wait, text) => {
    const body = { code: 'rate_limited', limitedBy: 'network' };
    const retryAfter = wait === null ? null : String(wait);
    expect(await explain(parseErrorResponse(429, body, retryAfter))).toBe(text);
    const own = parseErrorResponse(429, { code: 'rate_limited' }, retryAfter);
    expect(await explain(own)).not.toBe(text);
  });

  test('names the address to open after another one was opened', async () => {
    const error = response(403, { code: 'foreign_origin', publicUrl: PUBLIC_URL });
    expect(await explain(error)).toBe(cause.otherAddress.replace('{{url}}', PUBLIC_URL));
  });

  test('names the setting if a proxy hides the address from the server', async () => {
    const text = await explain(response(403, { code: 'foreign_origin' }));
    expect(text).toBe(cause.unknownAddress.replace('{{url}}', ORIGIN));
    expect(text).toContain('PARLEY_PUBLIC_URL');
  });

  test.each([
    ['blocks cookies', () => '', 'cookiesBlocked'],
    ['keeps other cookies', (set: string) => `theme=dark; ${set}`, 'sessionLost'],
  ] as const)('explains a lost session if the browser %s', async (_, keep, key) => {
    let kept = '';
    vi.stubGlobal('document', {
      get cookie() {
        return kept;
      },
      set cookie(set: string) {
        kept = keep(set.split(';')[0] ?? '');
      },
    });
    expect(await explain(new ApiError('session_lost', 401, ''))).toBe(cause[key]);
  });
});

import { API_VERSION } from '@parley/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createOriginHandler } from '../src/main/origin/origin-handler.ts';
import { createBundle } from './support/bundle.ts';

const ORIGIN = 'https://chat.example.org';

test('reads media origins from the configuration, sends them no cookies and allows them in the policy', async () => {
  const bundle = await createBundle();
  onTestFinished(bundle.dispose);
  const requests: RequestInit[] = [];
  let mediaOrigins: string[] = [];
  const handle = createOriginHandler({
    serverOrigin: ORIGIN,
    pageOrigin: ORIGIN,
    assets: bundle.assets,
    fetch: async (_url, init) => {
      requests.push(init);
      return Response.json({
        product: 'parley',
        version: '1.0.0',
        apiVersion: API_VERSION,
        mediaPrefix: 'https://cdn.example/media/',
        registration: 'open',
        operator: {},
        mediaBase: 'https://cdn.example/media/',
        avatarUrl: 'https://robots.example/{name}',
        emojiUrl: 'https://emoji.example/{style}/{code}.png',
      });
    },
    upload: async () => Response.error(),
    clearCache: () => undefined,
    mediaOrigins: () => mediaOrigins,
    onMediaOrigins: (found) => {
      mediaOrigins = found;
    },
  });

  await handle(new Request(`${ORIGIN}/api/config`));
  expect(mediaOrigins).toEqual([
    'https://cdn.example',
    'https://robots.example',
    'https://emoji.example',
  ]);
  await handle(new Request('https://cdn.example/a.png', { headers: { cookie: 'x=y' } }));
  expect(requests[1]?.credentials).toBe('omit');
  expect(new Headers(requests[1]?.headers).has('cookie')).toBe(false);
  const page = await handle(new Request(ORIGIN, { headers: { accept: 'text/html' } }));
  expect(page.headers.get('content-security-policy')).toContain('https://cdn.example');
});

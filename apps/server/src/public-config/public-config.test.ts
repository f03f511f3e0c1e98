import { PublicConfig } from '@parley/contract/schemas';
import { Value } from 'typebox/value';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../test/harness.ts';

async function config(env: Record<string, string>): Promise<PublicConfig> {
  const server = await startServer(env);
  onTestFinished(() => server.close());
  const response = await server.client().request('GET', '/api/config');
  expect(response.status).toBe(200);
  expect(Value.Check(PublicConfig, response.body)).toBe(true);
  return response.body;
}

test('by default everything is served by this server and the operator is unknown', async () => {
  expect(await config({ PARLEY_PORT: '3456' })).toEqual({
    product: 'parley',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    apiVersion: 2,
    minApiVersion: 2,
    mediaPrefix: 'http://localhost:3456/media/',
    mediaBase: '/media/',
    avatarUrl: expect.stringMatching(/^\/api\/avatars\/\{name\}\?v=[\w-]{8}$/),
    registration: 'open',
    userInvitations: true,
    operator: {},
    instance: expect.stringMatching(/^[\w-]{22}$/),
  });
});

test('includes the configured registration mode and operator', async () => {
  const response = await config({
    PARLEY_PUBLIC_URL: 'https://chat.example.org',
    PARLEY_REGISTRATION: 'closed',
    PARLEY_OPERATOR_NAME: 'Ada',
    PARLEY_SOURCE_URL: 'https://example.org/source',
  });
  expect(response).toMatchObject({
    mediaPrefix: 'https://chat.example.org/media/',
    mediaBase: '/media/',
    registration: 'closed',
    userInvitations: false,
    operator: { name: 'Ada', sourceUrl: 'https://example.org/source' },
  });
});

test('includes the URLs of external media, avatars and emoji', async () => {
  const response = await config({
    PARLEY_MEDIA_URL: 'https://media.example.org/parley',
    PARLEY_AVATAR_URL: 'https://robots.example.org/{name}.png',
    PARLEY_EMOJI_URL: 'https://emoji.example.org/{style}/{code}.png',
  });
  expect(response).toMatchObject({
    mediaPrefix: 'https://media.example.org/parley/',
    mediaBase: 'https://media.example.org/parley/',
    avatarUrl: 'https://robots.example.org/{name}.png',
    emojiUrl: 'https://emoji.example.org/{style}/{code}.png',
  });
});

import { expect, test } from 'vitest';
import { createApiClient } from './api/client.ts';
import { createClient } from './create-client.ts';
import { createHeadlessPlatform } from './headless-platform.ts';

test('a client that is disposed of asks the server for nothing, and keeps what was written', async () => {
  const requests: string[] = [];
  const platform = createHeadlessPlatform();
  const client = createClient({
    // Nothing listens on this port.
    api: createApiClient({
      origin: 'http://127.0.0.1:9',
      fetch: async (input, init) => {
        requests.push(new URL(new Request(input, init).url).pathname);
        throw new TypeError('fetch failed');
      },
    }),
    username: 'Ada',
    platform,
  });
  client.send('room', 'unsent');
  client.dispose();
  const before = requests.length;
  client.send('room', 'too late');
  client.addMedia('image', 'room', new Blob(['x']), 'late.png');
  client.reloadChats();
  client.reconnect();
  await client.open('room');
  await expect(client.create('Bob', 'hello')).rejects.toThrow();
  expect(requests).toHaveLength(before);
  expect(client.mediaDrafts.getState().drafts).toEqual({});
  expect(platform.storage.getItem('parley.outbox.Ada')).toContain('unsent');
});

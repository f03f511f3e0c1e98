import { expect, test } from 'vitest';
import { createApiClient } from './api/client.ts';
import { createClient } from './create-client.ts';
import { createHeadlessPlatform } from './headless-platform.ts';
import { createMemoryStorageArea } from './storage/memory-storage.ts';

test('a disposed client sends no requests and keeps unsent messages', async () => {
  const requests: string[] = [];
  const area = createMemoryStorageArea();
  const platform = createHeadlessPlatform(undefined, { openStorage: async () => area.open() });
  const client = createClient({
    // No server listens on this port.
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
  client.sendFirstMessage('Bob', 'hello');
  expect(requests).toHaveLength(before);
  expect(client.outbox.getState().entries).toMatchObject([{ content: 'unsent' }]);
  const kept = await area.open().getAll('outbox');
  expect(kept).toMatchObject([{ value: { data: { content: 'unsent' } } }]);
});

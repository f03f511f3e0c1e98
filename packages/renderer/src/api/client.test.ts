import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApiClient } from './client.ts';
import { uploadMedia } from './media.ts';

let asked: string[];
let origin: string;
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url}`);
  response.setHeader('content-type', 'application/json').end('{}');
});

beforeEach(async () => {
  asked = [];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('nothing is asked under the name of somebody who signed in in another tab', async () => {
  let isSomebodyElse = false;
  const onUnauthenticated = vi.fn<() => void>();
  const api = createApiClient({
    origin,
    isSomebodyElse: () => isSomebodyElse,
    onUnauthenticated,
  });
  await api.get('api/chatrooms/chats');
  expect(onUnauthenticated).not.toHaveBeenCalled();

  isSomebodyElse = true;
  await expect(api.delete('api/users/delete')).rejects.toMatchObject({ code: 'unauthenticated' });
  const upload = uploadMedia(api, 'image', new Blob(), 'a.png');
  await expect(upload).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(asked).toEqual(['GET /api/chatrooms/chats']);
  expect(onUnauthenticated).toHaveBeenCalledOnce();
});

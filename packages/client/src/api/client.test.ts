import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, createApiClient, parseErrorResponse } from './client.ts';

let requests: string[];
let bodies: string[];
/** The response to all requests. It has the fields of several endpoints. */
let respondWith: string;
let origin: string;
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`);
  const isKnown = request.headers['if-none-match'] === '"known"';
  let body = '';
  request.on('data', (piece) => (body += String(piece)));
  request.on('end', () => {
    if (body !== '') bodies.push(body);
    response.writeHead(isKnown ? 304 : 200, { 'content-type': 'application/json', etag: '"new"' });
    response.end(isKnown ? undefined : respondWith);
  });
});

beforeEach(async () => {
  requests = [];
  bodies = [];
  respondWith = JSON.stringify(RESPONSE);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterEach(() => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
});

const RESPONSE = {
  ok: true,
  apiVersion: 2,
  chatrooms: [],
  chatroomMessages: [],
  currentUsername: 'ada',
  partnerName: 'bob',
  unreadMessagesCount: 0,
  chat: { chatId: '2', rev: 1, memberRev: 1, status: 'accepted' },
  _id: '3',
  chatroom: '2',
  seq: 1,
  rev: 1,
  sender: { username: 'ada' },
};

test.each(['', '{}', '[]', 'null', '<p>Please log in</p>', '{"ok":true}', '{"errorMessage":"no"}'])(
  'takes no foreign response for a sent message: %s',
  async (response) => {
    respondWith = response;
    const api = createApiClient({ origin });
    const messageId = '3';
    for (const sent of [
      api.call('sendMessage', { body: { chatroom: '2', content: 'x' } }),
      api.call('editMessage', { body: { messageId, content: 'x' } }),
      api.call('deleteMessage', { body: { messageId } }),
    ]) {
      await expect(sent).rejects.toMatchObject({ code: 'unreadable', isTemporary: true });
    }
  },
);

test.each([401, 403, 404, 451, 500, 511])(
  'counts a page with status %d as no response',
  (status) => {
    for (const body of [undefined, {}, { code: 'blocked_by_filter' }]) {
      expect(parseErrorResponse(status, body, null)).toMatchObject({
        isForeign: true,
        isTemporary: true,
      });
    }
    const own = parseErrorResponse(404, { code: 'room_not_found', errorMessage: 'no' }, null);
    expect(own).toMatchObject({ isForeign: false, isTemporary: false });
  },
);

test.each([
  ['a reverse proxy', undefined, 'proxy_too_large'],
  ['a page of a reverse proxy', {}, 'proxy_too_large'],
  ['the server', { code: 'too_large' }, 'too_large'],
])('believes %s that a request is too large', (_, body, code) => {
  const error = parseErrorResponse(413, body, null);
  expect(error).toMatchObject({ code, isTemporary: false, isIntercepted: false });
});

test.each([
  ['https://chat.example.org', 'https://chat.example.org'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['javascript:alert(1)', undefined],
  ['chat.example.org', undefined],
  [7, undefined],
  [undefined, undefined],
])('reads the public URL %j of an error response as %j', (publicUrl, origin) => {
  const error = parseErrorResponse(403, { code: 'foreign_origin', publicUrl }, null);
  expect(error.publicUrl).toBe(origin);
});

test.each([
  [200, 'unreadable', false, true],
  [401, 'invalid_request', true, true],
  [511, 'internal', true, true],
  [429, 'rate_limited', true, false],
  [502, 'unavailable', true, false],
  [403, 'not_sender', false, false],
] as const)('knows whether status %i with %s was intercepted', (status, code, isForeign, is) => {
  expect(new ApiError(code, status, '', { isForeign }).isIntercepted).toBe(is);
});

test('sends no request after another user signed in in another tab', async () => {
  let isOtherUser = false;
  const onUnauthenticated = vi.fn<() => void>();
  const api = createApiClient({
    origin,
    isOtherUser: () => isOtherUser,
    onUnauthenticated,
  });
  await api.call('listChats');
  expect(onUnauthenticated).not.toHaveBeenCalled();

  isOtherUser = true;
  await expect(api.call('deleteAccount')).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(requests).toEqual(['GET /api/chatrooms/chats']);
  expect(onUnauthenticated).toHaveBeenCalledOnce();
});

test('sends a call as the endpoint table defines it, with encoded parameters', async () => {
  const api = createApiClient({ origin });
  await api.call('getConfig');
  await api.call('getChatroom', { params: { id: 'a/b?c' }, query: { before: 7 } });
  await api.call('getChatroom', { params: { id: '1' }, query: {} });
  await api.call('markAsRead', { params: { id: '2' } });
  await api.call('editMessage', { body: { messageId: '3', content: 'é' } });
  await api.call('endSession', { params: { id: '4' } });
  expect(requests).toEqual([
    'GET /api/config',
    'GET /api/chatrooms/chats/a%2Fb%3Fc?before=7',
    expect.stringMatching(/^GET \/api\/chatrooms\/chats\/1\??$/),
    'POST /api/chatrooms/chats/2/mark-as-read',
    'PATCH /api/messages/edit',
    'DELETE /api/sessions/4',
  ]);
  expect(bodies).toEqual(['{"messageId":"3","content":"é"}']);
});

test('resolves to undefined for a response that did not change', async () => {
  const api = createApiClient({ origin });
  expect(await api.callIfChanged('listChats', '"old"')).toEqual({
    body: RESPONSE,
    etag: '"new"',
  });
  expect(await api.callIfChanged('listChats', '"known"')).toBeUndefined();
});

test('rejects a call whose response is never completed', async () => {
  vi.useFakeTimers();
  const api = createApiClient({ origin, fetch: async () => new Response(new ReadableStream()) });
  const outcome = expect(api.call('getConfig')).rejects.toMatchObject({ isTemporary: true });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  await outcome;
});

test('rejects calls without required parameters at compile time', () => {
  const api = createApiClient({ origin });
  const calls = () => [
    // @ts-expect-error the body is missing
    api.call('login'),
    // @ts-expect-error the path parameter is missing
    api.call('endSession', {}),
    // @ts-expect-error the body is of another endpoint
    api.call('changeVolume', { body: { language: 'de' } }),
    // @ts-expect-error there is no such endpoint
    api.call('getEverything'),
  ];
  expect(calls).toBeTypeOf('function');
});

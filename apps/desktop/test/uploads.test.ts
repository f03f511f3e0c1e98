import { UPLOAD_ID_HEADER } from '@parley/contract';
import type { Session } from 'electron';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createOriginHandler } from '../src/main/origin/origin-handler.ts';
import { sendUpload } from '../src/main/origin/send-upload.electron.ts';
import { createUploads } from '../src/main/origin/uploads.ts';
import { FakeSession } from './support/fake-electron.ts';

vi.mock('electron', () => import('./support/fake-electron.ts'));

/** Larger than what the system keeps of a connection that is not read. */
const BODY = new Uint8Array(10 * 1024 * 1024).fill(7);

/** Progress is reported a few times per second. */
const WAIT = { timeout: 60_000 };

/** A server that reads a request only when the test does. */
let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Creates the page's requests and uploads. */
function openPage() {
  const progress = vi.fn<(id: string, share: number) => void>();
  const uploads = createUploads(progress);
  const session = new FakeSession();
  const handle = createOriginHandler({
    serverOrigin: origin,
    pageOrigin: origin,
    assets: { has: () => false, read: async () => undefined },
    fetch: session.fetch,
    upload: (upload) =>
      uploads.run(upload.id, (following) =>
        sendUpload(session as unknown as Session, upload, following),
      ),
    clearCache: () => undefined,
    mediaOrigins: () => [],
    onMediaOrigins: () => undefined,
  });
  // As from Electron, the request has no signal of the page.
  const upload = (body: Uint8Array<ArrayBuffer>) =>
    handle(
      new Request(`${origin}/api/upload/image`, {
        method: 'POST',
        headers: { [UPLOAD_ID_HEADER]: 'upload-1' },
        body,
      }),
    );
  return { uploads, progress, upload };
}

/** Sends an upload of the page. Resolves once the server has the request, but not yet its body. */
async function startUpload() {
  const page = openPage();
  const requested = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  const response = page.upload(BODY);
  const [received, reply] = await requested;
  return { ...page, response, received, reply };
}

test('reports the progress of an upload to a slow server', async () => {
  const { progress, response, received, reply } = await startUpload();
  expect(received.headers).toMatchObject({ 'content-length': String(BODY.length) });
  expect(received.headers).not.toHaveProperty(UPLOAD_ID_HEADER);
  expect(received.headers.origin).toBe(origin);
  await expect.poll(() => progress.mock.calls.length, WAIT).toBeGreaterThan(0);
  const [id, share = 1] = progress.mock.lastCall ?? [];
  expect(id).toBe('upload-1');
  expect(share).toBeLessThan(1);
  let size = 0;
  for await (const chunk of received) size += (chunk as Buffer).length;
  expect(size).toBe(BODY.length);
  await expect.poll(() => progress.mock.lastCall, WAIT).toEqual(['upload-1', 1]);
  reply.writeHead(201, { 'content-type': 'application/json' }).end('{"url":"/media/1.png"}');
  const { status, headers } = await response;
  expect([status, headers.get('content-type')]).toEqual([201, 'application/json']);
  expect(await (await response).json()).toEqual({ url: '/media/1.png' });
});

test('stops the transfer of a canceled upload', async () => {
  const { uploads, progress, response, received } = await startUpload();
  await expect.poll(() => progress.mock.calls.length, WAIT).toBeGreaterThan(0);
  const reports = progress.mock.calls.length;
  uploads.cancel('upload-of-another-page');
  uploads.cancel('upload-1');
  expect((await response).type).toBe('error');
  const reading = (async () => {
    for await (const chunk of received) expect(chunk).toBeDefined();
  })();
  await expect(reading).rejects.toThrow('aborted');
  expect(progress.mock.calls).toHaveLength(reports);
});

test('stops all transfers of a page that is gone', async () => {
  const { uploads, response } = await startUpload();
  uploads.cancelAll();
  expect((await response).type).toBe('error');
});

test('passes on a response that the server sends before it has read the upload', async () => {
  const { response, reply } = await startUpload();
  reply.writeHead(413, { 'content-type': 'application/json' }).end('{"code":"too_large"}');
  expect((await response).status).toBe(413);
});

test('refuses an upload that is too large before it reaches the network', async () => {
  const onRequest = vi.fn<() => void>();
  server.once('request', onRequest);
  const response = await openPage().upload(new Uint8Array(BODY.length + 128 * 1024));
  server.off('request', onRequest);
  expect([response.status, onRequest.mock.calls]).toEqual([413, []]);
});

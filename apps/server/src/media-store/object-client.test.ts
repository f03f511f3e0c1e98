import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { startStoreProxy, type StoreProxy } from '../../test/store-proxy.ts';
import { objectStoreOf } from '../../test/test-object-store.ts';
import {
  parseObjectStore,
  readKeys,
  type ObjectStoreSettings,
} from '../config-checks/object-store-settings.ts';
import { MediaStoreError } from './media-store-error.ts';
import { createObjectClient, type ClientLimits, type ObjectClient } from './object-client.ts';
import { createTextSource } from './object-store.ts';

/** Longer than any response takes, so that only the tests of time limits reach one. */
const LIMITS: ClientLimits = {
  request: 60_000,
  transfer: 60_000,
  slowest: 64 * 1024,
  idle: 60_000,
  pageSize: 2,
};
const variables = objectStoreOf(import.meta.filename);

function settingsOf(url: string): ObjectStoreSettings {
  const settings = parseObjectStore(url);
  if (!('bucket' in settings)) throw new Error(settings.join(' '));
  return { ...settings, ...readKeys(variables) };
}

let proxy: StoreProxy;
let settings: ObjectStoreSettings;
let client: ObjectClient;
let keys = 0;
beforeEach(async () => {
  proxy = await startStoreProxy(variables['PARLEY_MEDIA_STORE'] ?? '');
  settings = settingsOf(proxy.url);
  client = createObjectClient(settings, LIMITS);
});
afterEach(async () => {
  client.close();
  await proxy.close();
});

const newKey = () => `${settings.prefix}object-${(keys += 1)}`;
/** Replaces the client with one that waits for less long. */
function limitClient(limits: Partial<ClientLimits>): void {
  client.close();
  client = createObjectClient(settings, { ...LIMITS, ...limits });
}
const readText = (key: string, range?: string) =>
  client.get(key, (_info, body) => text(body), range === undefined ? {} : { range });

test('writes, reads, lists and deletes objects', async () => {
  const key = newKey();
  expect([await client.head(key), await readText(key)]).toEqual([undefined, undefined]);
  await client.put(key, createTextSource('one two'));
  const { sha256 } = createTextSource('one two');
  expect(await client.head(key)).toEqual({ size: 7, sha256 });
  expect(await readText(key)).toBe('one two');
  expect(await readText(key, 'bytes=4-5')).toBe('tw');
  await client.put(key, createTextSource('three'));
  expect(await readText(key)).toBe('three');
  await client.delete(key);
  await client.delete(key);
  expect(await readText(key)).toBeUndefined();
});

test('lists the objects of a prefix page by page', async () => {
  const prefix = `${newKey()}/`;
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => prefix + name);
  // Times of objects are whole seconds.
  const startedAt = Date.now() - 1_000;
  for (const name of names) await client.put(name, createTextSource(name));
  const pages: string[][] = [];
  for await (const page of client.list(prefix)) pages.push(page.map(({ key }) => key));
  expect(pages).toEqual([names.slice(0, 2), names.slice(2, 4), names.slice(4)]);
  for await (const page of client.list(prefix)) {
    for (const { modifiedAt } of page) expect(modifiedAt).toBeGreaterThan(startedAt);
  }
});

test.each([
  ['an internal error', { status: 500, reason: 'InternalError' }],
  ['too many requests', { status: 503, reason: 'SlowDown' }],
  ['a closed connection', 'reset'],
] as const)('retries every request after %s', (_, fault) => expectRetries(fault, 2));

test('retries every request after no response', () => {
  limitClient({ idle: 1_000 });
  // The attempt that is left allows for a response that takes longer.
  return expectRetries('silent', 1);
});

/** Lets each request fail a number of times, and expects that it succeeds. */
async function expectRetries(fault: Parameters<StoreProxy['fail']>[1], times: number) {
  const key = newKey();
  for (const method of ['PUT', 'HEAD', 'GET', 'DELETE']) proxy.fail(method, fault, times);
  await client.put(key, createTextSource('content'));
  expect(await client.head(key)).toMatchObject({ size: 7 });
  expect(await readText(key)).toBe('content');
  await client.delete(key);
  expect(await readText(key)).toBeUndefined();
}

test.each(['truncated', 'corrupt'] as const)('retries a %s listing', async (fault) => {
  const prefix = `${newKey()}/`;
  await client.put(`${prefix}a`, createTextSource('a'));
  proxy.fail('GET', fault, 1);
  const found: string[] = [];
  for await (const page of client.list(prefix)) found.push(...page.map(({ key }) => key));
  expect(found).toEqual([`${prefix}a`]);
});

test('retries a damaged upload and fails if it stays damaged', async () => {
  const key = newKey();
  proxy.fail('PUT', 'corrupt', 1);
  await client.put(key, createTextSource('content'));
  expect(await readText(key)).toBe('content');
  proxy.fail('PUT', 'corrupt');
  await expect(client.put(newKey(), createTextSource('content'))).rejects.toThrow(
    'XAmzContentSHA256Mismatch',
  );
});

test.each([
  [{ status: 500, reason: 'InternalError' }, 'responded with an error (500 InternalError)'],
  [{ status: 403, reason: 'AccessDenied' }, 'denied access to the bucket media'],
  [{ status: 403, reason: 'SignatureDoesNotMatch' }, 'rejected AWS_ACCESS_KEY_ID'],
  [{ status: 400, reason: 'AuthorizationHeaderMalformed' }, 'does not belong to the region'],
  [{ status: 403, reason: 'RequestTimeTooSkewed' }, 'The clocks'],
  ['reset', 'cannot be reached or closed the connection (ECONNRESET)'],
  ['silent', 'cannot be reached or closed the connection (ETIMEDOUT)'],
] as const)('fails with a sentence for the operator: %j', async (fault, message) => {
  proxy.fail('GET', fault);
  if (fault === 'silent') limitClient({ idle: 300 });
  const failure = expect(readText(newKey())).rejects;
  await failure.toThrow(message);
  await failure.toBeInstanceOf(MediaStoreError);
});

test('does not repeat a request that was denied', async () => {
  proxy.fail('PUT', { status: 403, reason: 'AccessDenied' });
  await expect(client.put(newKey(), createTextSource('x'))).rejects.toThrow('denied access');
  expect(proxy.methods).toEqual(['PUT']);
});

test('fails in time if the store neither responds nor closes the connection', async () => {
  limitClient({ request: 200, transfer: 200 });
  for (const method of ['PUT', 'HEAD', 'GET']) proxy.fail(method, 'silent');
  const key = newKey();
  await expect(client.put(key, createTextSource('x'))).rejects.toThrow('did not respond in time');
  await expect(client.head(key)).rejects.toThrow('did not respond in time');
  await expect(client.get(key, (_info, body) => text(body))).rejects.toThrow(
    'did not respond in time',
  );
});

/** Takes a minute at the slowest speed of one byte per second. */
const LONG_CONTENT = '0123456789'.repeat(6);

test('allows an upload the time that its size takes', async () => {
  limitClient({ transfer: 1, slowest: 1 });
  const key = newKey();
  await client.put(key, createTextSource(LONG_CONTENT));
  limitClient({});
  expect(await readText(key)).toBe(LONG_CONTENT);
});

test('allows a download the time that its size takes', async () => {
  const key = newKey();
  await client.put(key, createTextSource(LONG_CONTENT));
  const rest = Promise.withResolvers<void>();
  proxy.fail('GET', { rest: rest.promise }, 1);
  limitClient({ transfer: 30_000, slowest: 1 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = Promise.withResolvers<void>();
  const reading = client.get(key, async (_info, body: AsyncIterable<Buffer>) => {
    let content = '';
    for await (const chunk of body) {
      content += chunk.toString();
      begun.resolve();
    }
    return content;
  });
  await begun.promise;
  vi.advanceTimersByTime(80_000);
  rest.resolve();
  expect(await reading).toBe(LONG_CONTENT);
  expect(proxy.methods.filter((method) => method === 'GET')).toHaveLength(1);
});

test('reports a bucket that does not exist instead of missing objects', async () => {
  const other = createObjectClient({ ...settings, bucket: 'absent' }, LIMITS);
  onTestFinished(() => other.close());
  const message = 'has no bucket absent';
  await expect(other.get(newKey(), (_info, body) => text(body))).rejects.toThrow(message);
  await expect(other.put(newKey(), createTextSource('x'))).rejects.toThrow(message);
  await expect(other.list('')[Symbol.asyncIterator]().next()).rejects.toThrow(message);
});

test('aborts pending requests when it is closed', async () => {
  proxy.fail('GET', 'silent');
  const pending = expect(readText(newKey())).rejects.toBeInstanceOf(MediaStoreError);
  client.close();
  await pending;
});

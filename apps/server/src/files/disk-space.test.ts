import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { startServer } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { mountSmallDisk } from '../../test/small-disk.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { readConfig } from '../config.ts';
import { createDiskSpace } from './disk-space.ts';
import { createUploadRate } from '../quotas/upload-rate.ts';

const picture = sample('picture.png');
const MB = 2 ** 20;

describe('the minimum of free disk space', () => {
  test('rejects uploads with 507 and leaves no file, but accepts messages', async () => {
    const server = await startServer({ PARLEY_FREE_SPACE_MIN: '9999T' });
    onTestFinished(() => server.close());
    const ada = await server.signIn('Ada');
    const response = await upload(ada, 'image', picture);
    expect(response).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    expect(await listUploadedFiles(server)).toEqual([]);
    await beginChat(ada, await server.signIn('Bob'));
  });

  test('must be free twice for exports, whatever is written within a moment', async () => {
    let free = 300 * MB;
    const config = readConfig({ PARLEY_FREE_SPACE_MIN: '100M' });
    const disk = createDiskSpace(config, async () => free);
    await disk.assertSpaceForExport(100 * MB);
    expect(await disk.hasSpaceForExports()).toBe(true);
    await expect(disk.assertSpaceForExport(101 * MB)).rejects.toThrow('storage_full');
    free -= 101 * MB;
    await expect(disk.assertSpaceForExport(0)).rejects.toThrow('storage_full');
    expect(await disk.hasSpaceForExports()).toBe(false);
    await disk.assertSpaceForUpload();
  });

  test('rejects messages on a nearly full disk, but accepts deletions', async ({ skip }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-floor-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    mountSmallDisk(dataDir, 64, skip);

    const before = await startServer({ PARLEY_FREE_SPACE_MIN: '0' }, dataDir);
    const ada = await before.signIn('Ada');
    const room = await beginChat(ada, await before.signIn('Bob'));
    const { _id: messageId } = await send(ada, room, 'to be deleted');
    const server = await before.restart({ PARLEY_FREE_SPACE_MIN: '500M' });
    onTestFinished(() => server.close());

    for (const [method, path, body] of [
      ['POST', '/api/messages/send', { chatroom: room, content: 'more' }],
      ['PATCH', '/api/messages/edit', { messageId, content: 'longer' }],
      ['POST', '/api/chatrooms/create', { partnerName: 'Bob', content: 'more' }],
    ] as const) {
      const response = await ada.request(method, path, body);
      expect(response).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    }
    expect((await ada.request('DELETE', '/api/messages/delete', { messageId })).status).toBe(200);
    expect((await ada.request('DELETE', '/api/users/delete')).status).toBe(200);
  });

  test('accepts messages if 100 MB are free and checks the disk at most once per second', async () => {
    let checks = 0;
    const space = (free: number, freeSpaceMin: number) =>
      createDiskSpace({ dataDir: '/', freeSpaceMin }, async () => {
        checks += 1;
        return free;
      });
    const low = space(200 * MB, 500 * MB);
    await expect(low.assertSpaceForUpload()).rejects.toThrow('storage_full');
    await low.assertSpaceForMessage();
    expect(checks).toBe(1);
    await expect(space(99 * MB, 500 * MB).assertSpaceForMessage()).rejects.toThrow('storage_full');
    await space(0, 0).assertSpaceForUpload();
  });
});

describe('the upload rate of an account', () => {
  test('is bounded per account and recovers over time', () => {
    let now = 0;
    const rate = createUploadRate(100 * MB, () => now);
    for (let i = 0; i < 10; i++) rate.take('ada', 10 * MB);
    expect(() => rate.take('ada', 10 * MB)).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfter: 6 }),
    );
    rate.take('bob', 100 * MB);
    now = 6_000;
    rate.take('ada', 10 * MB);
    expect(() => rate.take('ada', 1)).toThrow('rate_limited');
    rate.refund('ada', 5 * MB);
    rate.take('ada', 5 * MB);
  });

  test('is enforced with status 429 and a Retry-After header', async () => {
    const server = await startServer({
      PARLEY_RATE_LIMITS: 'true',
      PARLEY_QUOTA_MEDIA_PER_MINUTE: String(picture.length * 3),
    });
    onTestFinished(() => server.close());
    const ada = await server.signIn('Ada');
    const responses = [];
    for (let i = 0; i < 4; i++) responses.push(await upload(ada, 'image', picture));
    const statuses = responses.map(({ status }) => status);
    expect(statuses[0]).toBe(201);
    expect(statuses.at(-1)).toBe(429);
    expect(Number(responses.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('each account has a quota of 2 GiB by default and no quota with 0', () => {
  expect(readConfig({}).quotas.mediaPerUser).toBe(2 * 2 ** 30);
  expect(readConfig({ PARLEY_QUOTA_MEDIA_PER_USER: '0' }).quotas.mediaPerUser).toBeUndefined();
  expect(readConfig({}).freeSpaceMin).toBe(500 * MB);
});

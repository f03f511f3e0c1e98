import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { beginChat, send } from '../../test/chatting.ts';
import { startServer } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { mountSmallDisk } from '../../test/small-disk.ts';
import { jpegOfSize, listUploadedFiles, upload } from '../../test/uploading.ts';

/**
 * Creates a data folder whose media folder is a small disk. Skips the test if mounting is not
 * allowed.
 */
async function withSmallDisk(skip: TestContext['skip']): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-full-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const media = join(dataDir, 'media');
  await mkdir(media);
  mountSmallDisk(media, 2, skip);
  return dataDir;
}

test('rejects uploads with 507 while the disk is full, and accepts them again once there is space', async ({
  skip,
}) => {
  const dataDir = await withSmallDisk(skip);
  const server = await startServer({ PARLEY_FREE_SPACE_MIN: '0' }, dataDir);
  onTestFinished(() => server.close());
  const alice = await server.signIn('Alice');
  const small = jpegOfSize(sample('picture.jpg'), 100_000);

  // Depending on the size, either the upload or its cleaned copy does not fit.
  for (const size of [3_000_000, 1_500_000]) {
    const response = await upload(alice, 'image', jpegOfSize(sample('picture.jpg'), size));
    expect(response).toMatchObject({ status: 507, body: { code: 'storage_full' } });
    expect(await listUploadedFiles(server)).toEqual([]);
  }
  expect((await upload(alice, 'image', small)).status).toBe(201);

  const chatroom = await beginChat(alice, await server.signIn('Bob'));
  const large = await upload(alice, 'image', jpegOfSize(sample('picture.jpg'), 900_000));
  const { _id: messageId } = await send(alice, chatroom, large.body.url);
  const ballast = join(dataDir, 'media/ballast');
  await writeFile(ballast, Buffer.alloc(300_000));
  const files = await listUploadedFiles(server);
  expect(await alice.request('POST', '/api/media/copy', { messageId })).toMatchObject({
    status: 507,
    body: { code: 'storage_full' },
  });
  expect(await listUploadedFiles(server)).toEqual(files);
  await alice.request('DELETE', '/api/messages/delete', { messageId });

  await writeFile(ballast, Buffer.alloc(1_900_000)).catch(() => {});
  expect((await upload(alice, 'image', small)).status).toBe(507);
  await rm(ballast);
  expect((await upload(alice, 'image', small)).status).toBe(201);
});

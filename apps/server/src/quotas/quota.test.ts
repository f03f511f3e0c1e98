import { afterEach, expect, test } from 'vitest';
import { createRoom, send } from '../../test/chatting.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { newId } from '../storage/ids.ts';

const picture = sample('picture.png');
let server: TestServer;
let ada: TestUser;
let bob: TestUser;

async function start(env: Record<string, string>): Promise<void> {
  server = await startServer(env);
  ada = await server.signIn('Ada');
  bob = await server.signIn('Bob');
}
afterEach(() => server.close());

const attempt = (chatroom: string, content: string, clientId = newId()) =>
  ada.request('POST', '/api/messages/send', { chatroom, content, clientId });

test('limits the messages per account and day without counting retries', async () => {
  await start({ PARLEY_QUOTA_MESSAGES_PER_DAY: '3' });
  const chatroom = await createRoom(ada, bob);
  const clientId = newId();
  expect(await attempt(chatroom, 'two', clientId)).toMatchObject({ status: 201 });
  expect(await attempt(chatroom, 'two', clientId)).toMatchObject({ status: 200 });
  expect(await attempt(chatroom, 'three')).toMatchObject({ status: 201 });
  expect(await attempt(chatroom, 'four')).toMatchObject({
    status: 403,
    body: { code: 'quota_messages' },
  });
  expect(await attempt(chatroom, 'two', clientId)).toMatchObject({ status: 200 });
  await send(bob, chatroom, 'mine');

  // The count starts again on the next day.
  await server.ctx.storage.write(({ trx }) =>
    trx
      .updateTable('message_counts')
      .set((eb) => ({ day: eb('day', '-', 1) }))
      .execute(),
  );
  expect(await attempt(chatroom, 'four')).toMatchObject({ status: 201 });
});

test('limits the uploads of an account, and deleting frees space', async () => {
  await start({ PARLEY_QUOTA_MEDIA_PER_USER: String(picture.length * 2 - 1) });
  const chatroom = await createRoom(ada, bob);
  const first = await upload(ada, 'image', picture);
  expect(first).toMatchObject({ status: 201 });
  expect(await upload(ada, 'image', picture)).toMatchObject({
    status: 403,
    body: { code: 'quota_media' },
  });
  expect(await listUploadedFiles(server)).toHaveLength(1);
  expect(await upload(bob, 'image', picture)).toMatchObject({ status: 201 });

  const sent = await send(ada, chatroom, first.body.url);
  await ada.request('DELETE', '/api/messages/delete', { messageId: sent._id });
  expect(await upload(ada, 'image', picture)).toMatchObject({ status: 201 });
});

test('limits the uploads of all accounts together', async () => {
  await start({ PARLEY_QUOTA_MEDIA_TOTAL: String(picture.length * 2 - 1) });
  expect(await upload(ada, 'image', picture)).toMatchObject({ status: 201 });
  expect(await upload(bob, 'image', picture)).toMatchObject({
    status: 507,
    body: { code: 'storage_full' },
  });
  await ada.request('DELETE', '/api/users/delete');
  await waitForErasure(server);
  expect(await upload(bob, 'image', picture)).toMatchObject({ status: 201 });
});

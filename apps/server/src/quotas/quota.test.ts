import { afterEach, expect, test, vi } from 'vitest';
import { beginChat, changeConsent, expectStatus, send } from '../../test/chatting.ts';
import { eraseAccount } from '../../test/fixtures.ts';
import { waitForErasure } from '../../test/wait-for-erasure.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sendPicture } from '../../test/reporting.ts';
import { sample } from '../../test/samples.ts';
import { listUploadedFiles, upload } from '../../test/uploading.ts';
import { createRetention } from '../retention/retention.service.ts';
import { newId } from '../storage/ids.ts';
import { today } from './quota.service.ts';

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

test(
  'limits the messages per account and day without counting retries',
  { tags: ['postgres'] },
  async () => {
    await start({ PARLEY_QUOTA_MESSAGES_PER_DAY: '3' });
    const chatroom = await beginChat(ada, bob);
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
  },
);

/** What `Math.random` returns if the message is counted, and if it is left out. */
const [COUNTED, LEFT_OUT] = [0, 0.99];

const setCount = (sent: number) =>
  server.ctx.storage.write(({ trx }) =>
    trx.insertInto('message_counts').values({ user_id: ada.id, day: today(), sent }).execute(),
  );
const readCount = async () => {
  const select = server.ctx.storage.read((db) =>
    db.selectFrom('message_counts').select('sent').where('user_id', '=', ada.id).execute(),
  );
  return (await select)[0]?.sent;
};

test('limits the messages to 20,000 by default, also after a restart', async () => {
  // An empty value means unset.
  await start({ PARLEY_QUOTA_MESSAGES_PER_DAY: '' });
  const chatroom = await beginChat(ada, bob);
  await server.ctx.storage.write(({ trx }) => trx.deleteFrom('message_counts').execute());
  await setCount(19_980);
  const random = vi.spyOn(Math, 'random').mockReturnValue(LEFT_OUT);
  expect(await attempt(chatroom, 'left out')).toMatchObject({ status: 201 });
  expect(await readCount()).toBe(19_980);
  random.mockReturnValue(COUNTED);
  expect(await attempt(chatroom, 'counted')).toMatchObject({ status: 201 });
  random.mockRestore();

  const refusal = { status: 403, body: { code: 'quota_messages' } };
  for (const value of [LEFT_OUT, COUNTED]) {
    vi.spyOn(Math, 'random').mockReturnValue(value);
    expect(await attempt(chatroom, 'too many')).toMatchObject(refusal);
    vi.mocked(Math.random).mockRestore();
  }
  server = await server.restart();
  expect(await attempt(chatroom, 'too many')).toMatchObject(refusal);
  expect(await readCount()).toBe(20_000);
});

test(
  'counts as many messages as are sent on average if the quota is large',
  { tags: ['postgres'] },
  async () => {
    await start({ PARLEY_QUOTA_MESSAGES_PER_DAY: '5000' });
    const chatroom = await beginChat(ada, bob);
    await server.ctx.storage.write(({ trx }) => trx.deleteFrom('message_counts').execute());
    let calls = 0;
    // Evenly distributed over each five messages.
    vi.spyOn(Math, 'random').mockImplementation(() => (calls++ % 5) / 5 + 0.1);
    for (let i = 0; i < 15; i += 1) await send(ada, chatroom, `${i}`);
    vi.mocked(Math.random).mockRestore();
    expect(await readCount()).toBe(15);
  },
);

test('does not count a message that is rejected after all', async () => {
  await start({ PARLEY_QUOTA_MESSAGES_PER_DAY: '3' });
  const chatroom = await beginChat(ada, bob);
  const body = { chatroom, uploadId: newId() };
  expect(await ada.request('POST', '/api/messages/send', body)).toMatchObject({
    body: { code: 'media_not_found' },
  });
  expect(await readCount()).toBe(1);
});

test('does not limit the messages if the quota is 0', { tags: ['postgres'] }, async () => {
  await start({ PARLEY_QUOTA_MESSAGES_PER_DAY: '0' });
  const chatroom = await beginChat(ada, bob);
  await setCount(1_000_000);
  expect(await attempt(chatroom, 'one more')).toMatchObject({ status: 201 });
  expect(await readCount()).toBe(1_000_000);
});

test('limits the uploads of an account, and deleting frees space', async () => {
  await start({ PARLEY_QUOTA_MEDIA_PER_USER: String(picture.length * 2 - 1) });
  const chatroom = await beginChat(ada, bob);
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

interface PartnerSteps {
  name: string;
  before?: (chatroom: string) => Promise<unknown>;
  after?: (chatroom: string) => Promise<unknown>;
}
const deleteChat = async (user: TestUser, chatroom: string) => {
  const path = `/api/chatrooms/chats/${chatroom}/delete`;
  expectStatus(await user.request('POST', path, { seq: 1_000 }), 200);
};

test.each<PartnerSteps>([
  { name: 'has neither deleted the chat nor blocked the user' },
  { name: 'has blocked the user', before: (chatroom) => changeConsent(bob, chatroom, 'block') },
  { name: 'has deleted the chat', after: (chatroom) => deleteChat(bob, chatroom) },
  { name: 'has no account any more', after: () => eraseAccount(server, bob) },
])(
  'still counts the uploads in a deleted chat if the partner $name',
  { tags: ['postgres'] },
  async ({ before, after }) => {
    await start({ PARLEY_QUOTA_MEDIA_PER_USER: String(picture.length * 4 - 1) });
    const chatroom = await beginChat(ada, bob);
    await before?.(chatroom);
    const sent: string[] = [];
    for (const _ of [1, 2, 3]) sent.push((await sendPicture(ada, chatroom, picture)).id);
    const remove = async (messageId = '') =>
      expectStatus(await ada.request('DELETE', '/api/messages/delete', { messageId }), 200);
    // What is deleted before the chat frees space.
    await remove(sent[0]);
    await sendPicture(ada, chatroom, picture);
    await after?.(chatroom);
    await deleteChat(ada, chatroom);
    await waitForErasure(server);
    const isFull = async () => (await upload(ada, 'image', picture)).body.code === 'quota_media';
    const results = [await isFull()];
    await remove(sent[1]);
    results.push(await isFull());
    // The others expire.
    await createRetention(server.ctx, -1).apply(new AbortController().signal);
    results.push(await isFull());
    expect(results).toEqual([true, true, true]);
  },
);

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

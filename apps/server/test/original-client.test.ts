import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { keyFromOutbox } from '@parley/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestClient, type TestServer } from './harness.ts';
import { connectLive } from './live.ts';
import { sample } from './samples.ts';
import { until } from './until.ts';
import { upload } from './uploading.ts';

/** What the original client reads of a message. */
interface OriginalMessage {
  _id: string;
  chatroom: string;
  content: string;
  sender: { username: string };
  createdAt: string;
  updatedAt: string;
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Registers, verifies and signs in, as the original client does, with its calls only. */
async function register(username: string, language: 'en' | 'de'): Promise<TestClient> {
  const client = server.client();
  const email = `${username.toLowerCase()}@example.org`;
  const body = { email, username, password: 'secret', language };
  expect((await client.request('POST', '/api/users/register', body)).status).toBe(201);
  const login = () => client.request('POST', '/api/users/login', { email, password: 'secret' });
  expect(await login()).toMatchObject({ status: 200, body: { isVerified: false } });
  const key = await keyFromOutbox(join(server.dataDir, 'outbox'), email);
  const verified = await client.request('POST', '/api/users/register/verify', { email, key });
  expect(verified.body).toMatchObject({ isVerified: true });
  expect(await login()).toMatchObject({ status: 200, body: { isVerified: true } });
  return client;
}

/** Opens a chatroom and keeps its messages current with the three events of the original client. */
async function readChatroom(client: TestClient, id: string) {
  const { socket } = await connectLive(server, client);
  const load = async () => (await client.request('GET', `/api/chatrooms/chats/${id}`)).body;
  const opened: { chatroomMessages: OriginalMessage[] } = await load();
  let messages = opened.chatroomMessages;
  socket.on('message', (message: OriginalMessage) => {
    if (message.chatroom === id) messages = [...messages, message];
  });
  socket.on('message-update', ({ updatedMessage }: { updatedMessage: OriginalMessage }) => {
    messages = messages.map((each) => (each._id === updatedMessage._id ? updatedMessage : each));
  });
  socket.on('message-delete', ({ deletedMessage }: { deletedMessage: { _id: string } }) => {
    messages = messages.filter(({ _id }) => _id !== deletedMessage._id);
  });
  return { contents: () => messages.map(({ content }) => content), load };
}

test('a client that knows only the specified calls and events can do everything', async () => {
  const ann = await register('Ann', 'en');
  const ben = await register('Ben', 'de');
  expect((await ann.request('GET', '/api/users/current')).body).toMatchObject({
    username: 'Ann',
    usermail: 'ann@example.org',
    dateOfRegistration: expect.stringMatching(/^\d{4}-/),
    language: 'en',
    volume: 'middle',
  });
  const german = await ann.request('PATCH', '/api/users/language', { language: 'de' });
  expect(german.body).toEqual({ language: 'de' });
  const loud = await ann.request('PATCH', '/api/users/volume', { volume: 'loud' });
  expect(loud.body).toEqual({ volume: 'full' });

  // They find each other.
  const search = { username: 'Ben' };
  expect((await ann.request('POST', '/api/chatrooms/exist', search)).body).toMatchObject({
    chatroom: 'new-chatroom',
    partnerName: 'Ben',
  });
  const first = { partnerName: 'Ben', content: 'Hello' };
  const created = await ann.request('POST', '/api/chatrooms/create', first);
  const chatroom: string = created.body.chatroomId;
  expect((await ann.request('POST', '/api/chatrooms/exist', search)).body).toMatchObject({
    chatroom,
    partnerName: 'Ben',
  });
  expect((await ben.request('GET', '/api/chatrooms/chats')).body).toMatchObject({
    currentUsername: 'Ben',
    volume: 'middle',
    chatrooms: [
      {
        chatId: chatroom,
        usernames: ['Ann'],
        isDeletedAccount: false,
        lastMessage: { content: 'Hello', sender: expect.anything() },
        currentUserId: expect.any(String),
        timestamps: [expect.stringMatching(/^\d{4}-/)],
        unreadMessagesCount: 1,
      },
    ],
  });

  // They write to each other, live.
  const rooms = [await readChatroom(ann, chatroom), await readChatroom(ben, chatroom)];
  expect(await rooms[1]?.load()).toMatchObject({
    currentUsername: 'Ben',
    partnerName: 'Ann',
    unreadMessagesCount: 1,
    volume: 'middle',
  });
  const send = async (client: TestClient, content: string): Promise<OriginalMessage> => {
    const { status, body } = await client.request('POST', '/api/messages/send', {
      chatroom,
      content,
    });
    expect({ status, body }).toMatchObject({ status: 201, body: { chatroom, content } });
    return body;
  };
  const expectContents = async (...contents: string[]) => {
    const expected = [contents, contents];
    await until(() =>
      isDeepStrictEqual(
        rooms.map((room) => room.contents()),
        expected,
      ),
    );
    for (const { load } of rooms) {
      const { chatroomMessages }: { chatroomMessages: OriginalMessage[] } = await load();
      expect(chatroomMessages.map(({ content }) => content)).toEqual(contents);
    }
  };
  const hi = await send(ben, 'Hi');
  expect(hi).toMatchObject({
    _id: expect.any(String),
    sender: { username: 'Ben' },
    createdAt: expect.stringMatching(/^\d{4}-/),
    updatedAt: expect.stringMatching(/^\d{4}-/),
  });
  const { body: picture } = await upload(ann, 'image', sample('picture.png'));
  expect(picture.url).toMatch(/^https?:.*\.png$/);
  await send(ann, picture.url);
  expect((await ben.request('GET', new URL(picture.url).pathname)).status).toBe(200);
  const { body: recording } = await upload(ben, 'audio', sample('voice.webm'));
  const { _id: recordingId } = await send(ben, recording.url);
  await expectContents('Hello', 'Hi', picture.url, recording.url);

  const edit = { messageId: hi._id, content: 'Hi!' };
  expect((await ben.request('PATCH', '/api/messages/edit', edit)).status).toBe(200);
  const removal = { messageId: recordingId, content: recording.url };
  expect((await ben.request('DELETE', '/api/messages/delete', removal)).status).toBe(200);
  await expectContents('Hello', 'Hi!', picture.url);

  const unread = async () => (await rooms[0]?.load())?.unreadMessagesCount;
  expect(await unread()).toBe(1);
  await ann.request('POST', `/api/chatrooms/chats/${chatroom}/mark-as-read`);
  expect(await unread()).toBe(0);
  const unknown = `/api/chatrooms/chats/${crypto.randomUUID()}`;
  expect((await ann.request('GET', unknown)).body).toHaveProperty('errorMessage');

  // They change and forget passwords, sign out, and leave.
  const change = { oldPassword: 'secret', newPassword: 'secret 2' };
  expect((await ann.request('PATCH', '/api/users/update', change)).status).toBe(200);
  expect((await ann.request('GET', '/api/users/logout')).status).toBe(200);
  const email = 'ann@example.org';
  expect((await ann.request('PATCH', '/api/users/forgot-pw', { email })).status).toBe(200);
  const outbox = join(server.dataDir, 'outbox');
  const key = await until(async () => {
    const newest = await keyFromOutbox(outbox, email);
    return newest.length === 8 ? newest : undefined;
  });
  const reset = { email, key, newPw: 'secret 3' };
  expect((await ann.request('PATCH', '/api/users/new-pw', reset)).status).toBe(200);
  const login = { email, password: 'secret 3' };
  expect((await ann.request('POST', '/api/users/login', login)).status).toBe(200);
  expect((await ann.request('DELETE', '/api/users/delete')).status).toBe(200);
  expect((await ben.request('GET', '/api/chatrooms/chats')).body.chatrooms).toMatchObject([
    { chatId: chatroom, isDeletedAccount: true },
  ]);
  expect(await rooms[1]?.load()).toMatchObject({ partnerName: 'deletedUser' });
});

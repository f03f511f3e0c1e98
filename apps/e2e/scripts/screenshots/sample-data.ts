import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request, type APIRequestContext, type BrowserContextOptions } from 'playwright';
import { createWav, type TestFile } from '../../src/support/files.ts';
import type { HostedServer } from '@parley/testing';
import type { TestLanguage } from '../../src/support/texts.ts';
import { sampleContentOf, type SampleContent } from './sample-content.ts';

type Session = NonNullable<BrowserContextOptions['storageState']>;

/** A chatroom of the user whose screens are shown, by its purpose. */
type ChatroomName =
  | 'friend'
  | 'unread'
  | 'deletedPartner'
  | 'request'
  | 'undecided'
  | 'sentRequest'
  | 'blocked';

/** The data that the screenshots of one language show. */
export interface SampleData {
  readonly content: SampleContent;
  /** Path of the link of an invitation. */
  readonly invitation: string;
  /** An image to send. */
  readonly picture: TestFile;
  /** Cookies of a user with chats, of a user without any, and of a user with message requests. */
  readonly sessions: {
    readonly self: Session;
    readonly newcomer: Session;
    readonly requested: Session;
  };
  readonly rooms: Readonly<Record<ChatroomName, string>>;
}

interface Member {
  readonly name: string;
  readonly api: APIRequestContext;
}

/** Signs up the users of a language and sends their messages over HTTP. */
export async function createSampleData(
  server: HostedServer,
  language: TestLanguage,
  picture: TestFile,
): Promise<SampleData> {
  const content = sampleContentOf(language);
  const members: Member[] = [];
  /** Minutes since the last message of each chatroom. */
  const ages = new Map<string, number>();
  const addMember = async (name: string) => {
    const member = await signUp(server, name, language);
    members.push(member);
    return member;
  };

  const self = await addMember(content.self);
  const newcomer = await addMember(content.newcomer);
  const newContact = await addMember(content.newContact);
  const beginChat = async (from: Member, age: number, text: string) => {
    const body = { partnerName: content.self, content: text, clientId: randomUUID() };
    const { chatroomId } = await post<{ chatroomId: string }>(
      from.api,
      '/api/chatrooms/create',
      body,
    );
    ages.set(chatroomId, age);
    await self.api.post(`/api/chatrooms/chats/${chatroomId}/accept`);
    return chatroomId;
  };
  const read = (room: string) =>
    self.api.post(`/api/chatrooms/chats/${room}/mark-as-read`, { data: {} });

  const deletedPartner = await addMember(content.deletedPartner);
  const left = await beginChat(deletedPartner, 9_000, '👋');
  await send(self.api, left, content.unsent);
  await read(left);
  await deletedPartner.api.delete('/api/users/delete');

  for (const [i, [name, text]] of content.others.entries()) {
    const room = await beginChat(await addMember(name), 190 + i * i * 1_400, text);
    if (i > 0) await read(room);
  }

  const [first, ...turns] = content.turns;
  if (first === undefined || !('text' in first)) throw new Error('a chat has to begin with a text');
  const friend = await addMember(content.friend);
  const room = await beginChat(friend, 2, first.text);
  for (const turn of turns) {
    const { api } = turn.by === 'self' ? self : friend;
    const content =
      'text' in turn ? turn.text : await upload(api, turn.media, [picture, createWav(14)]);
    const messageId = await send(api, room, content);
    if ('text' in turn && turn.edited !== undefined) {
      await api.patch('/api/messages/edit', { data: { messageId, content: turn.edited } });
    }
  }
  await read(room);

  await post(self.api, '/api/invitations', { isSingleUse: true });
  const { code } = await post<{ code: string }>(self.api, '/api/invitations', {
    isSingleUse: false,
    note: content.invitationNote,
  });

  const unread = await addMember(content.unread);
  const [opening = '', ...more] = content.unreadTexts;
  const waiting = await beginChat(unread, 34, '🌻');
  await read(waiting);
  for (const text of [opening, ...more]) await send(unread.api, waiting, text);

  const receiveRequests = (member: Member, whoMayWrite: 'everyone' | 'requests') =>
    member.api.patch('/api/users/settings', { data: { whoMayWrite } });
  const requested = await addMember(content.requested);
  await receiveRequests(requested, 'requests');
  const requests: string[] = [];
  for (const [i, sender] of [unread, ...members.slice(4, 7), friend].entries()) {
    const text = content.others[i]?.[1] ?? first.text;
    const body = { partnerName: content.requested, content: text, clientId: randomUUID() };
    const { chatroomId } = await post<{ chatroomId: string }>(
      sender.api,
      '/api/chatrooms/create',
      body,
    );
    requests.push(chatroomId);
  }
  const request = requests.at(-1) ?? '';
  for (const turn of turns.filter(({ by }) => by === 'friend')) {
    const files = [picture, createWav(14)] as const;
    const media = 'text' in turn ? undefined : await upload(friend.api, turn.media, files);
    await send(friend.api, request, 'text' in turn ? turn.text : (media ?? ''));
  }
  await send(friend.api, request, await upload(friend.api, 'image', [picture, createWav(14)]));
  await receiveRequests(requested, 'everyone');
  const writeFirst = async (from: Member, partnerName: string) => {
    const body = { partnerName, content: first.text, clientId: randomUUID() };
    return post<{ chatroomId: string }>(from.api, '/api/chatrooms/create', body);
  };
  const writer = members[7] ?? self;
  const { chatroomId: undecided } = await writeFirst(writer, content.requested);
  await send(writer.api, undecided, await upload(writer.api, 'image', [picture, createWav(14)]));
  await receiveRequests(newContact, 'requests');
  const { chatroomId: sentRequest } = await writeFirst(requested, content.newContact);
  const [blocked = ''] = requests;
  await requested.api.post(`/api/chatrooms/chats/${blocked}/accept`);
  await requested.api.post(`/api/chatrooms/chats/${blocked}/block`);

  spreadOverTime(server.dataDir, ages);
  const sessions = {
    self: await self.api.storageState(),
    newcomer: await newcomer.api.storageState(),
    requested: await requested.api.storageState(),
  };
  await Promise.all(members.map(({ api }) => api.dispose()));
  return {
    invitation: `/invite#${code}`,
    content,
    picture,
    sessions,
    rooms: {
      friend: room,
      unread: waiting,
      deletedPartner: left,
      request,
      undecided,
      sentRequest,
      blocked,
    },
  };
}

async function signUp(
  server: HostedServer,
  username: string,
  language: TestLanguage,
): Promise<Member> {
  const api = await request.newContext({ baseURL: server.url });
  const email = `${username.toLowerCase()}@example.org`;
  const password = 'correct horse';
  await post(api, '/api/users/register', { email, username, password, language });
  const key = await server.keyFor(email);
  await post(api, '/api/users/register/verify', { email, key });
  await post(api, '/api/users/login', { email, password });
  return { name: username, api };
}

async function post<T>(api: APIRequestContext, path: string, data: object): Promise<T> {
  const response = await api.post(path, { data });
  if (!response.ok())
    throw new Error(`${path} responded with ${response.status()}: ${await response.text()}`);
  return (await response.json()) as T;
}

async function send(api: APIRequestContext, chatroom: string, content: string): Promise<string> {
  const message = await post<{ _id: string }>(api, '/api/messages/send', { chatroom, content });
  return message._id;
}

async function upload(
  api: APIRequestContext,
  kind: 'image' | 'audio',
  [image, audio]: readonly [TestFile, TestFile],
): Promise<string> {
  const response = await api.post(`/api/upload/${kind}`, {
    multipart: { [kind]: kind === 'image' ? image : audio },
  });
  return ((await response.json()) as { url: string }).url;
}

/** Changes the times of messages in the database, as they cannot be set over HTTP. */
function spreadOverTime(dataDir: string, ages: ReadonlyMap<string, number>): void {
  const db = new DatabaseSync(join(dataDir, 'parley.db'));
  const move = db.prepare(
    `update messages set created_at = created_at - ms, updated_at = updated_at - ms
     from (select m.id as moved, 60000 * (? + 3 * (c.last_seq - m.seq)) as ms
           from messages m join chatrooms c on c.id = m.chatroom_id where c.id = ?)
     where id = moved`,
  );
  for (const [room, age] of ages) move.run(age, room);
  db.close();
}

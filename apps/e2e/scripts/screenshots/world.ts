import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { request, type APIRequestContext, type BrowserContextOptions } from 'playwright';
import { voice, type ChosenFile } from '../../src/support/files.ts';
import type { RunningServer } from '@parley/testing';
import type { Language } from '../../src/support/texts.ts';
import { castOf, type Cast } from './cast.ts';

type Session = NonNullable<BrowserContextOptions['storageState']>;

/** Rooms of the person whose screens are shown, by what they are shown for. */
type RoomName = 'friend' | 'unread' | 'leaver';

/** All that the pictures of one language show. */
export interface World {
  readonly cast: Cast;
  /** A picture to send. */
  readonly picture: ChosenFile;
  /** Cookies of somebody with chats, and of somebody without any. */
  readonly sessions: { readonly self: Session; readonly newcomer: Session };
  readonly rooms: Readonly<Record<RoomName, string>>;
}

interface Member {
  readonly name: string;
  readonly api: APIRequestContext;
}

/** Makes the people of a language and lets them talk over HTTP. */
export async function makeWorld(
  server: RunningServer,
  language: Language,
  picture: ChosenFile,
): Promise<World> {
  const cast = castOf(language);
  const members: Member[] = [];
  /** How many minutes ago each room was last written in. */
  const ages = new Map<string, number>();
  const enter = async (name: string) => {
    const member = await enrol(server, name, language);
    members.push(member);
    return member;
  };

  const self = await enter(cast.self);
  const newcomer = await enter(cast.newcomer);
  await enter(cast.stranger);
  const open = async (from: Member, age: number, text: string) => {
    const body = { partnerName: cast.self, content: text, clientId: randomUUID() };
    const { chatroomId } = await post<{ chatroomId: string }>(
      from.api,
      '/api/chatrooms/create',
      body,
    );
    ages.set(chatroomId, age);
    return chatroomId;
  };
  const read = (room: string) =>
    self.api.post(`/api/chatrooms/chats/${room}/mark-as-read`, { data: {} });

  const leaver = await enter(cast.leaver);
  const left = await open(leaver, 9_000, '👋');
  await send(self.api, left, cast.unsent);
  await read(left);
  await leaver.api.delete('/api/users/delete');

  for (const [i, [name, text]] of cast.others.entries()) {
    const room = await open(await enter(name), 190 + i * i * 1_400, text);
    if (i > 0) await read(room);
  }

  const [first, ...turns] = cast.turns;
  if (first === undefined || !('text' in first)) throw new Error('a chat begins with a text');
  const friend = await enter(cast.friend);
  const room = await open(friend, 2, first.text);
  for (const turn of turns) {
    const { api } = turn.by === 'self' ? self : friend;
    const content =
      'text' in turn ? turn.text : await upload(api, turn.media, [picture, voice(14)]);
    const messageId = await send(api, room, content);
    if ('text' in turn && turn.edited !== undefined) {
      await api.patch('/api/messages/edit', { data: { messageId, content: turn.edited } });
    }
  }
  await read(room);

  const unread = await enter(cast.unread);
  const [opening = '', ...more] = cast.unreadTexts;
  const waiting = await open(unread, 34, '🌻');
  await read(waiting);
  for (const text of [opening, ...more]) await send(unread.api, waiting, text);

  spreadOverTime(server.dataDir, ages);
  const sessions = {
    self: await self.api.storageState(),
    newcomer: await newcomer.api.storageState(),
  };
  await Promise.all(members.map(({ api }) => api.dispose()));
  return { cast, picture, sessions, rooms: { friend: room, unread: waiting, leaver: left } };
}

async function enrol(server: RunningServer, username: string, language: Language): Promise<Member> {
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
  const answer = await api.post(path, { data });
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function send(api: APIRequestContext, chatroom: string, content: string): Promise<string> {
  const message = await post<{ _id: string }>(api, '/api/messages/send', { chatroom, content });
  return message._id;
}

async function upload(
  api: APIRequestContext,
  kind: 'image' | 'audio',
  [image, audio]: readonly [ChosenFile, ChosenFile],
): Promise<string> {
  const answer = await api.post(`/api/upload/${kind}`, {
    multipart: { [kind]: kind === 'image' ? image : audio },
  });
  return ((await answer.json()) as { url: string }).url;
}

/** Nobody can write in the past over HTTP, so the times are moved in the database. */
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

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPair, beginChat, openChatList, recordEvents, send } from '../../test/chatting.ts';
import { startFreshServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { introduce } from '../chatrooms/consent.service.ts';

const DAY = 24 * 60 * 60 * 1000;

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let early: string;
let late: string;
let empty: string;

beforeEach(async () => {
  server = await startFreshServer();
  ({ ada, bob, room: early } = await createPair(server));
  late = await beginChat(ada, await server.signIn('Carol'));
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

/** Sends a message to a chatroom while the clock is ahead. */
async function sendAhead(room: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * DAY });
  await send(ada, room, 'ahead');
  vi.useRealTimers();
}

const order = async () => (await openChatList(ada)).map(({ chatId }) => chatId);

test('the chat list is sorted by what happened last although the clock was put back', async () => {
  await sendAhead(early);
  expect(await order()).toEqual([early, late]);
  await send(ada, late, 'later');
  expect(await order()).toEqual([late, early]);
  await send(bob, early, 'even later');
  expect(await order()).toEqual([early, late]);
});

test('it stays so after a restart', async () => {
  await sendAhead(early);
  server = await server.restart();
  await send(ada, late, 'later');
  server = await server.restart();
  expect(await order()).toEqual([late, early]);
  await send(bob, early, 'even later');
  expect(await order()).toEqual([early, late]);
});

test('a new chat comes first then', async () => {
  await sendAhead(early);
  const created = await beginChat(ada, await server.signIn('Dora'));
  expect(await order()).toEqual([created, early, late]);
});

describe('a chat without messages', () => {
  const createEmptyChatroom = async (partner: TestUser) =>
    server.ctx.storage.write((write) => introduce(write, ada.id, partner.id));

  beforeEach(async () => {
    const dora = await server.signIn('Dora');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * DAY });
    empty = await createEmptyChatroom(dora);
    vi.useRealTimers();
  });

  test('does not stay first until the time of its creation', async () => {
    expect(await order()).toEqual([empty, late, early]);
    await send(ada, early, 'later');
    expect(await order()).toEqual([early, empty, late]);
  });

  test('does not stay first after a restart either', async () => {
    server = await server.restart();
    await send(ada, early, 'later');
    expect(await order()).toEqual([early, empty, late]);
  });

  test('comes first if it is newer than one from before the clock was put back', async () => {
    const newer = await createEmptyChatroom(await server.signIn('Emma'));
    expect(await order()).toEqual([newer, empty, late, early]);
    await send(ada, early, 'later');
    expect(await order()).toEqual([early, newer, empty, late]);
  });
});

test('clients learn the place of a message, and when it was really sent', async () => {
  await sendAhead(early);
  const ahead = (await openChatList(ada))[0]?.activeAt ?? '';
  const events = recordEvents(server);
  const sent = await send(ada, late, 'later');
  const activeAt = new Date(Date.parse(ahead) + 1).toISOString();
  expect(sent).toMatchObject({ activeAt });
  expect(Date.parse(sent.createdAt)).toBeLessThan(Date.parse(ahead) - DAY);
  expect(events[0]).toMatchObject({ type: 'message-sent', message: { activeAt } });
  expect((await openChatList(ada))[0]).toMatchObject({ activeAt, timestamps: [sent.createdAt] });
});

test('a small correction of the clock is not noticed', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await send(ada, early, 'first');
  vi.setSystemTime(Date.now() - 900);
  expect(await send(ada, early, 'second')).not.toHaveProperty('activeAt');
});

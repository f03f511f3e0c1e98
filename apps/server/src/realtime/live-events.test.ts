import { randomUUID } from 'node:crypto';
import type { Message } from '@parley/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addUpload, fillChat, eraseAccount } from '../../test/fixtures.ts';
import { beginChat, openChat, send } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { join, login } from '../../test/joining.ts';
import { connectLive, connectRaw, openRaw, type LiveClient } from '../../test/live.ts';
import { until } from '../../test/until.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Creates three connected users; the first two share a chatroom. */
async function createThreeUsers(name: string) {
  const [ada, bob, eve] = await Promise.all([
    server.signIn(`ada-${name}`),
    server.signIn(`bob-${name}`),
    server.signIn(`eve-${name}`),
  ]);
  const room = await beginChat(ada, bob);
  const [adaLive, bobLive, eveLive] = await Promise.all([
    connectLive(server, ada),
    connectLive(server, bob),
    connectLive(server, eve),
  ]);
  return { ada, bob, eve, room, adaLive, bobLive, eveLive };
}

/** Waits for `count` events, then sends a final event to prove that no others follow. */
async function settled(user: TestUser, live: LiveClient, count: number) {
  await until(() => live.events.length >= count);
  const mark = randomUUID();
  server.ctx.events.publish({ type: 'typing', userId: user.id, chatroomId: mark });
  await until(() =>
    live.events.some(([name, event]) => {
      return name === 'typing' && (event as { chatroom: string }).chatroom === mark;
    }),
  );
  return live.events.filter(([name, event]) => {
    return name !== 'typing' || (event as { chatroom: string }).chatroom !== mark;
  });
}

function message(chatroom: string, seq: number): Message {
  const at = new Date().toISOString();
  const sender = { username: 'ada' };
  const base = { _id: randomUUID(), chatroom, sender, createdAt: at, updatedAt: at };
  return { ...base, content: `message ${seq} 🙂`, seq, rev: seq, kind: 'text' };
}

describe('changing a chatroom', () => {
  test('sends a new message only to both members', async () => {
    const { ada, bob, eve, room, adaLive, bobLive, eveLive } = await createThreeUsers('send');
    const sent = await send(ada, room, 'Grüße 🇩🇪');
    expect(await settled(bob, bobLive, 1)).toEqual([['message', sent]]);
    expect(await settled(ada, adaLive, 1)).toEqual([['message', sent]]);
    expect(await settled(eve, eveLive, 0)).toEqual([]);
  });

  test('sends an upload with its URL, also to those who reply to it', async () => {
    const { ada, bob, room, bobLive } = await createThreeUsers('upload');
    const { url } = await addUpload(server, ada);
    const picture = await send(ada, room, url);
    const body = { chatroom: room, content: 'nice', replyTo: picture._id };
    const { body: reply } = await bob.request('POST', '/api/messages/send', body);
    expect([picture.content, reply.replyTo.content]).toEqual([url, url]);
    const expected = [picture, reply].map((message) => ['message', message]);
    expect(await settled(bob, bobLive, 2)).toEqual(expected);
  });

  test('sends edits and deletions only to both members', async () => {
    const { ada, bob, eve, room, adaLive, bobLive, eveLive } = await createThreeUsers('change');
    const { _id: messageId, seq } = await send(ada, room, 'frist');
    await ada.request('PATCH', '/api/messages/edit', { messageId, content: 'first' });
    await ada.request('DELETE', '/api/messages/delete', { messageId });
    const expected = [
      ['message', expect.objectContaining({ content: 'frist' })],
      [
        'message-update',
        { updatedMessage: expect.objectContaining({ _id: messageId, content: 'first' }) },
      ],
      ['message-delete', { deletedMessage: expect.objectContaining({ _id: messageId, seq }) }],
    ];
    for (const [user, live] of [
      [bob, bobLive],
      [ada, adaLive],
    ] as const) {
      const chat = await openChat(user, room);
      expect(chat.lastMessage).toMatchObject({ content: 'Hello' });
      expect(await settled(user, live, 4)).toEqual([...expected, ['chat', chat]]);
    }
    expect(await settled(eve, eveLive, 0)).toEqual([]);
  });

  test('sends the first message of a new chatroom to both members, to the partner as not accepted', async () => {
    const { bob, eve, bobLive, eveLive } = await createThreeUsers('create');
    const chatroom = await beginChat(eve, bob, 'Hi', { isUndecided: true });
    const [[, message] = []] = await settled(eve, eveLive, 1);
    expect(message).toMatchObject({ chatroom, content: 'Hi', seq: 1 });
    expect(message).not.toHaveProperty('isRequest');
    expect(await settled(bob, bobLive, 1)).toEqual([
      ['message', Object.assign({}, message, { isUndecided: true })],
    ]);
  });

  test('sends the deletion of an account only to the partner', async () => {
    const { ada, bob, eve, room, adaLive, bobLive, eveLive } = await createThreeUsers('leave');
    const picture = await addUpload(server, bob);
    const own = await send(bob, room, picture.url);
    await settled(bob, bobLive, 1);
    bobLive.events.length = 0;
    await settled(ada, adaLive, 1);
    adaLive.events.length = 0;
    await eraseAccount(server, ada);
    const [[name, chat] = [], ...others] = await settled(bob, bobLive, 1);
    expect(others).toEqual([]);
    expect(name).toBe('chat');
    expect(chat).toMatchObject({
      chatId: room,
      isDeletedAccount: true,
      usernames: [],
      lastMessage: { content: own.content },
    });
    expect(await settled(eve, eveLive, 0)).toEqual([]);
    await until(() => adaLive.socket.disconnected);
    expect(adaLive.events).toEqual([['session-ended', { reason: 'account-deleted' }]]);
  });
});

describe('sending events to several devices', () => {
  test('sends the same events to all devices of both members', async () => {
    const { ada, bob, room, adaLive, bobLive } = await createThreeUsers('devices');
    const more = [await connectLive(server, ada), await connectLive(server, bob)];
    const sent = await send(bob, room, 'everywhere');
    for (const live of [adaLive, bobLive, ...more]) {
      await until(() => live.events.length > 0);
      expect(live.events).toEqual([['message', sent]]);
    }
  });

  test('sends read positions to the devices of the reading user, and receipts to the partner', async () => {
    const { ada, bob, room, adaLive, bobLive } = await createThreeUsers('read');
    const tablet = await connectLive(server, bob);
    await bob.request('POST', `/api/chatrooms/chats/${room}/mark-as-read`);
    const expected = [['chat', await openChat(bob, room)]];
    expect(expected[0]?.[1]).toMatchObject({ readSeq: 1, unreadMessagesCount: 0, rev: 1 });
    expect(await settled(bob, bobLive, 1)).toEqual(expected);
    await until(() => tablet.events.length > 0);
    expect(tablet.events[0]).toEqual(expected[0]);
    const told = await openChat(ada, room);
    expect(told).toMatchObject({ partnerDeliveredSeq: 1, partnerReadSeq: 1 });
    expect(await settled(ada, adaLive, 1)).toEqual([['chat', told]]);
  });

  test('sends changed settings only to the devices of the user', async () => {
    const { ada, bob, adaLive, bobLive } = await createThreeUsers('settings');
    const tablet = await connectLive(server, bob);
    await bob.request('PATCH', '/api/users/volume', { volume: 'loud' });
    await bob.request('PATCH', '/api/users/language', { language: 'de' });
    const expected = [
      ['settings', { volume: 'full' }],
      ['settings', { language: 'de' }],
    ];
    expect(await settled(bob, bobLive, 2)).toEqual(expected);
    await until(() => tablet.events.length > 1);
    expect(tablet.events.slice(0, 2)).toEqual(expected);
    expect(await settled(ada, adaLive, 0)).toEqual([]);
  });

  test('sends nothing to a device before its CONNECT', async () => {
    const user = await server.signIn('before');
    const raw = await openRaw(server, user);
    await raw.next();
    const event = { type: 'message-sent', message: message('r', 1), members: [user.id] } as const;
    server.ctx.events.publish(event);
    raw.socket.send('40');
    expect(await raw.next()).toMatch(/^40/);
  });
});

describe('the order of events', () => {
  test('1,000 messages arrive ordered by seq on every device', async () => {
    const { ada, bob, room, adaLive, bobLive } = await createThreeUsers('order');
    const lives = [adaLive, bobLive, await connectLive(server, bob)];
    const sendParts = async (user: TestUser) => {
      for (let part = 0; part < 5; part++) await fillChat(server, room, user, 100);
    };
    await Promise.all([sendParts(ada), sendParts(bob)]);
    for (const live of lives) {
      await until(() => live.events.length >= 1_000);
      const seqs = live.events.map(([, payload]) => (payload as Message).seq);
      expect(seqs).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 2));
    }
  });

  test('concurrent messages and edits of both members arrive ordered by rev', async () => {
    const { ada, bob, room, adaLive, bobLive } = await createThreeUsers('rev');
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const user = i % 2 ? ada : bob;
        const { _id: messageId } = await send(user, room, `m${i}`);
        await user.request('PATCH', '/api/messages/edit', { messageId, content: `e${i}` });
      }),
    );
    for (const live of [adaLive, bobLive]) {
      await until(() => live.events.length >= 120);
      const revs = live.events.map(([name, payload]) =>
        name === 'message'
          ? (payload as Message).rev
          : (payload as { updatedMessage: Message }).updatedMessage.rev,
      );
      expect(revs).toEqual(Array.from({ length: 120 }, (_, i) => i + 2));
    }
  });
});

describe('a session that ends', () => {
  test('notifies the client, and the library does not reconnect automatically', async () => {
    const user = await server.signIn('ended');
    const live = await connectLive(server, user);
    const reasons: string[] = [];
    live.socket.on('disconnect', (reason) => reasons.push(reason));
    await user.request('GET', '/api/users/logout');
    await until(() => reasons.length > 0);
    expect(live.events).toEqual([['session-ended', { reason: 'logout' }]]);
    expect(reasons).toEqual(['io server disconnect']);
    expect(live.socket.active).toBe(false);
  });

  test("closes all of its connections and none of the user's other sessions", async () => {
    const phone = await join(server, 'two');
    const laptop = server.client();
    await login(laptop, phone);
    const tabs = [await connectRaw(server, phone), await connectRaw(server, phone)];
    const survivor = await connectLive(server, laptop);
    await phone.request('GET', '/api/users/logout');
    for (const raw of tabs) {
      expect(await raw.next()).toBe('42["session-ended",{"reason":"logout"}]');
      expect(await raw.next()).toBe('41');
      expect(await raw.closed).toEqual({ code: 1008, reason: 'session ended' });
    }
    const { body } = await laptop.request('GET', '/api/users/current');
    expect(body).toMatchObject({ username: 'two' });
    expect(survivor.socket.connected).toBe(true);
    expect(survivor.events).toEqual([]);
  });

  test('sends the reason if the password was changed on another device', async () => {
    const phone = await join(server, 'changed');
    const laptop = server.client();
    await login(laptop, phone);
    const live = await connectLive(server, phone);
    const body = { oldPassword: phone.password, newPassword: 'another secret' };
    expect(await laptop.request('PATCH', '/api/users/update', body)).toMatchObject({ status: 200 });
    await until(() => live.socket.disconnected);
    expect(live.events).toEqual([['session-ended', { reason: 'password-changed' }]]);
  });
});

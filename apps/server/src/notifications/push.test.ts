import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MUTED_ALWAYS, type Message, type NotificationContent } from '@parley/contract';
import { changeConsent, beginChat, send } from '../../test/chatting.ts';
import type { TestUser } from '../../test/harness.ts';
import { connectLive } from '../../test/live.ts';
import type { BrowserSubscription } from '../../test/push-service.ts';
import { startPushWorld, type PushWorld } from '../../test/push-world.ts';
import { until } from '../../test/until.ts';
import { sample } from '../../test/samples.ts';
import { upload } from '../../test/uploading.ts';

let world: PushWorld;
let ada: TestUser;
let bob: TestUser;
let room: string;
/** Bob's device. */
let phone: BrowserSubscription;

beforeAll(async () => {
  world = await startPushWorld();
});
afterAll(() => world.close());
afterEach(() => expect(world.service.violations).toEqual([]));

/** Two who have accepted each other. Bob has read everything. */
async function createTwo(): Promise<void> {
  ada = await world.signIn('ada');
  bob = await world.signIn('bob');
  room = await beginChat(ada, bob);
  await markAsRead(bob);
  // Otherwise, the next message might be sent together with the first one, which is due at once.
  await world.settle();
  phone = await world.subscribe(bob);
}
/** Like `createTwo`, with a second chatroom of Bob and Eve. Bob has read both. */
async function createThree(): Promise<{ eve: TestUser; other: string }> {
  await createTwo();
  const eve = await world.signIn('eve');
  const other = await beginChat(eve, bob);
  await world.settle();
  await markAsRead(bob, other);
  return { eve, other };
}
const markAsRead = (user: TestUser, id = room) =>
  user.request('POST', `/api/chatrooms/chats/${id}/mark-as-read`, {});
const mute = (user: TestUser, mutedUntil: string | null) =>
  user.request('PATCH', `/api/chatrooms/chats/${room}/settings`, { mutedUntil });
const react = (user: TestUser, { _id: messageId }: Message, emoji: string, isOn = true) =>
  user.request('POST', '/api/messages/react', { messageId, emoji, isOn });
const shown = (device: BrowserSubscription) =>
  device.received.map(({ payload }) => payload.notification);
const texts = (device: BrowserSubscription) =>
  shown(device).map(({ title, body }) => `${title}: ${body}`);

/** Connects a device of a user that is in use, and has a chatroom in view. */
async function connectDevice(user: TestUser, chatroom: string | null = null, isActive = true) {
  const { socket } = await connectLive(world.server, user);
  socket.emit('presence', { isActive });
  socket.emit('attend', { chatroom });
  // Signals are handled in order, and acknowledgements follow them.
  const report = async (name: 'presence' | 'attend', event: object) => {
    socket.emit(name, event);
    await socket.emitWithAck('unknown');
  };
  await socket.emitWithAck('unknown');
  return { socket, report };
}

describe('a message', () => {
  test('notifies all devices of the recipient at once if none is in use, and none of the sender', async () => {
    await createTwo();
    const adaPhone = await world.subscribe(ada);
    const tablet = { ...bob };
    await world.server.renewSession(tablet);
    const second = await world.subscribe(tablet);
    const { seq } = await send(ada, room, 'secret');
    await world.settle();
    expect(adaPhone.attempts).toBe(0);
    expect(second.received).toHaveLength(1);
    const [received] = phone.received;
    const url = `${world.server.url}/chatarea/chats/${room}`;
    expect(received?.payload).toEqual({
      web_push: 8030,
      notification: {
        title: ada.username,
        body: 'New message',
        lang: 'en',
        dir: 'auto',
        tag: room,
        navigate: url,
        app_badge: '1',
        data: { type: 'message', user: bob.username, chatroom: room, seq, unread: 1, read: [] },
        actions: [
          { action: 'reply', title: 'Reply', navigate: `${url}?reply` },
          { action: 'read', title: 'Mark as read', navigate: url },
        ],
      },
      app_badge: 1,
      mutable: true,
    });
    expect(received?.urgency).toBe('high');
    // Push services cannot tell that both are about the same chatroom.
    expect(received?.topic).not.toBe(second.received[0]?.topic);
  });

  test.each<[NotificationContent, 'en' | 'de', string]>([
    ['none', 'en', 'Parley: 2 new messages'],
    ['none', 'de', 'Parley: 2 neue Nachrichten'],
    ['who', 'en', 'ADA: 2 new messages'],
    ['who', 'de', 'ADA: 2 neue Nachrichten'],
    ['whoAndWhat', 'en', 'ADA (2): Hello Circassian flag world'],
    ['whoAndWhat', 'de', 'ADA (2): Hello Tscherkessische Flagge world'],
  ])('says with «%s» in %s: %s', async (content, language, expected) => {
    await createTwo();
    await bob.request('PATCH', '/api/users/language', { language });
    await world.configure(bob, { content });
    await send(ada, room, 'one');
    await send(ada, room, 'Hello :circassia:\n\nworld');
    await world.settle();
    await world.pass(5_000);
    expect(texts(phone).at(-1)).toBe(expected.replace('ADA', ada.username));
    expect(shown(phone).at(-1)?.lang).toBe(language);
  });

  test('is named by its kind if it is an image, and shortened if it is long', async () => {
    await createTwo();
    await world.configure(bob, { content: 'whoAndWhat' });
    await send(ada, room, '😀'.repeat(9_000));
    await world.settle();
    expect(shown(phone)[0]?.body).toBe(`${'😀'.repeat(200)}…`);
    await markAsRead(bob);
    const { body } = await upload(ada, 'image', sample('picture.png'));
    await send(ada, room, body.url);
    await world.pass(5_000);
    expect(texts(phone)[1]).toBe(`${ada.username}: Sent an image`);
  });

  test('is not sent again if it is edited or deleted', async () => {
    await createTwo();
    const { _id: messageId } = await send(ada, room, 'one');
    await world.settle();
    await ada.request('PATCH', '/api/messages/edit', { messageId, content: 'two' });
    await world.pass(5_000);
    await ada.request('DELETE', '/api/messages/delete', { messageId });
    await world.pass(5_000);
    expect(phone.attempts).toBe(1);
  });

  test('shares a notification with others of the chatroom within seconds', async () => {
    await createTwo();
    for (let i = 0; i < 5; i += 1) await send(ada, room, `${i}`);
    await world.settle();
    const first = phone.received.length;
    expect(first).toBe(1);
    await send(ada, room, 'last');
    await world.settle();
    expect(phone.received).toHaveLength(first);
    await world.pass(5_000);
    expect(texts(phone).at(-1)).toBe(`${ada.username}: 6 new messages`);
    const [before, after] = phone.received;
    expect(phone.received).toHaveLength(2);
    expect(after?.topic).toBe(before?.topic);
    expect(after?.payload.notification.tag).toBe(before?.payload.notification.tag);
    await world.pass(60_000);
    expect(phone.received).toHaveLength(2);
  });

  test('reaches a device at most 30 times a minute, and the rest later', async () => {
    await createTwo();
    const rooms: string[] = [];
    for (let i = 0; i < 32; i += 1) {
      rooms.push(await beginChat(await world.signIn('many'), bob, 'hi', { isRequest: true }));
    }
    await world.settle();
    // They wait for each other.
    for (let i = 0; i < 10; i += 1) await world.pass(1_000);
    expect(phone.received).toHaveLength(30);
    for (let i = 0; i < 10; i += 1) await world.pass(6_000);
    expect(new Set(shown(phone).map(({ tag }) => tag))).toEqual(new Set(rooms));
  });
});

describe('a user with a device in use', () => {
  test('is notified after ten seconds', async () => {
    await createTwo();
    await connectDevice(bob);
    await send(ada, room, 'one');
    await world.pass(9_000);
    expect(phone.attempts).toBe(0);
    await world.pass(1_000);
    expect(phone.received).toHaveLength(1);
  });

  test.each<[string, (message: Message) => Promise<unknown>]>([
    ['it is read', () => markAsRead(bob)],
    [
      'it is deleted',
      ({ _id }) => ada.request('DELETE', '/api/messages/delete', { messageId: _id }),
    ],
    ['the chat is muted', () => mute(bob, MUTED_ALWAYS)],
    ['the sender is blocked', () => changeConsent(bob, room, 'block')],
    ['the session has ended', () => bob.request('GET', '/api/users/logout')],
    ['the sender is deleted', () => ada.request('DELETE', '/api/users/delete')],
    ['the recipient is deleted', () => bob.request('DELETE', '/api/users/delete')],
    ['notifications are paused', () => world.configure(bob, { pausedUntil: MUTED_ALWAYS })],
    ['push is turned off', () => bob.request('DELETE', '/api/notifications/subscription')],
  ])('is not notified if meanwhile %s', async (_name, happen) => {
    await createTwo();
    await connectDevice(bob);
    const message = await send(ada, room, 'one');
    await world.pass(5_000);
    await happen(message);
    await world.pass(5_000);
    await world.pass(60_000);
    expect(phone.attempts).toBe(0);
  });

  test('is notified of the messages that are left if the newest is deleted', async () => {
    await createTwo();
    await connectDevice(bob);
    await send(ada, room, 'one');
    const { _id: messageId } = await send(ada, room, 'two');
    await ada.request('DELETE', '/api/messages/delete', { messageId });
    await world.pass(10_000);
    expect(texts(phone)).toEqual([`${ada.username}: New message`]);
  });

  test('counts as such for 45 seconds', async () => {
    await createTwo();
    const { report } = await connectDevice(bob);
    await report('presence', { isActive: false });
    await world.pass(44_000);
    await send(ada, room, 'one');
    await world.settle();
    expect(phone.attempts).toBe(0);
    await world.pass(10_000);
    expect(phone.received).toHaveLength(1);
    await world.pass(5_000);
    await send(ada, room, 'two');
    await world.settle();
    expect(phone.received).toHaveLength(2);
  });

  test('is not notified of the chatroom that one of the devices has in view, only of others', async () => {
    const { eve, other } = await createThree();
    const before = phone.received.length;
    await connectDevice(bob);
    await connectDevice(bob, room);
    await send(ada, room, 'seen');
    await send(eve, other, 'not seen');
    await world.pass(10_000);
    expect(
      shown(phone)
        .slice(before)
        .map(({ tag }) => tag),
    ).toEqual([other]);
    for (let i = 0; i < 7; i += 1) await world.pass(10_000);
    expect(phone.received).toHaveLength(before + 1);
  });

  test('is notified if the device with the chatroom in view loses its connection', async () => {
    await createTwo();
    const { socket } = await connectDevice(bob, room);
    await send(ada, room, 'one');
    await world.pass(10_000);
    expect(phone.attempts).toBe(0);
    socket.disconnect();
    await until(() => world.server.ctx.storage.read(async () => !socket.connected));
    await world.pass(10_000);
    expect(phone.received).toHaveLength(1);
  });

  test.each([
    ['shows another chatroom', 'attend', { chatroom: null }],
    ['is no longer used', 'presence', { isActive: false }],
  ] as const)('is notified once the device %s', async (_name, signal, event) => {
    await createTwo();
    const { report } = await connectDevice(bob, room);
    await report(signal, event);
    await send(ada, room, 'one');
    await world.pass(10_000);
    expect(phone.received).toHaveLength(1);
  });
});

describe('quiet', () => {
  const night = { from: '00:00', to: '00:00', timeZone: 'Europe/Berlin' };

  test(
    'means no notification in a muted chat, in quiet hours and in a pause',
    { tags: ['postgres'] },
    async () => {
      await createTwo();
      await mute(bob, MUTED_ALWAYS);
      await send(ada, room, 'one');
      await world.settle();
      await mute(bob, null);
      await world.configure(bob, { quietHours: { ...night, isOnlySound: false } });
      await send(ada, room, 'two');
      await world.settle();
      await world.configure(bob, {
        quietHours: null,
        pausedUntil: new Date(Date.now() + 3_600_000).toISOString(),
      });
      await send(ada, room, 'three');
      await world.settle();
      expect(phone.attempts).toBe(0);
      await world.pass(3_600_000);
      expect(phone.attempts).toBe(0);
      await send(ada, room, 'four');
      await world.settle();
      expect(texts(phone)).toEqual([`${ada.username}: 4 new messages`]);
    },
  );

  test('means no sound if the user wants only that, or has turned off sounds', async () => {
    await createTwo();
    await world.configure(bob, { quietHours: { ...night, isOnlySound: true } });
    await send(ada, room, 'one');
    await world.settle();
    await world.configure(bob, { quietHours: null });
    await send(ada, room, 'two');
    await world.pass(5_000);
    await bob.request('PATCH', '/api/users/volume', { volume: 'silent' });
    await send(ada, room, 'three');
    await world.pass(5_000);
    expect(
      phone.received.map(({ payload, urgency }) => [payload.notification.silent, urgency]),
    ).toEqual([
      [true, 'normal'],
      [undefined, 'high'],
      [true, 'normal'],
    ]);
  });
});

describe('a request', () => {
  test('notifies once, without its text', async () => {
    await createTwo();
    await world.configure(bob, { content: 'whoAndWhat' });
    const eve = await world.signIn('eve');
    const request = await beginChat(eve, bob, 'spam', { isRequest: true });
    await world.settle();
    await send(eve, request, 'more spam');
    await world.pass(60_000);
    expect(texts(phone)).toEqual([`${eve.username}: New message request`]);
    expect(shown(phone)[0]).toMatchObject({ app_badge: '0', data: { type: 'request' } });
    expect(shown(phone)[0]).not.toHaveProperty('actions');
    await markAsRead(bob, request);
    await send(eve, request, 'even more spam');
    await world.pass(60_000);
    expect(phone.received).toHaveLength(1);
  });

  test('that was deleted notifies again with the next message only if the user accepts requests', async () => {
    await createTwo();
    const eve = await world.signIn('eve');
    const request = await beginChat(eve, bob, 'spam', { isRequest: true });
    await world.settle();
    await changeConsent(bob, request, 'decline');
    await bob.request('PATCH', '/api/users/settings', { whoMayWrite: 'nobody' });
    await send(eve, request, 'again');
    await world.pass(60_000);
    expect(phone.received).toHaveLength(1);
  });

  test('of a blocked user notifies of nothing', async () => {
    await createTwo();
    await changeConsent(bob, room, 'block');
    await send(ada, room, 'one');
    await world.pass(60_000);
    await changeConsent(bob, room, 'unblock');
    await world.pass(60_000);
    expect(phone.attempts).toBe(0);
  });
});

describe('a reaction', () => {
  test('notifies the author of the message only', async () => {
    await createTwo();
    const adaPhone = await world.subscribe(ada);
    await world.configure(bob, { content: 'whoAndWhat' });
    const message = await send(bob, room, 'Mine');
    await world.settle();
    const before = adaPhone.received.length;
    await react(ada, message, '👍');
    await react(bob, message, '❤️');
    await world.pass(5_000);
    expect(adaPhone.received).toHaveLength(before);
    expect(texts(phone)).toEqual([`${ada.username}: Reacted with 👍 to “Mine”`]);
    expect(shown(phone)[0]).toMatchObject({
      tag: `${room}/reaction`,
      navigate: `${world.server.url}/chatarea/chats/${room}/messages/${message.seq}`,
      data: { type: 'reaction', chatroom: room, seq: message.seq },
    });
    expect(phone.received[0]?.urgency).toBe('normal');
  });

  test.each<[string, (message: Message) => Promise<unknown>]>([
    ['it was taken back', (message) => react(ada, message, '👍', false)],
    [
      'its message was deleted',
      ({ _id }) => bob.request('DELETE', '/api/messages/delete', { messageId: _id }),
    ],
    ['the partner was blocked', () => changeConsent(bob, room, 'block')],
    [
      'the chat was archived',
      () => bob.request('PATCH', `/api/chatrooms/chats/${room}/settings`, { isArchived: true }),
    ],
    [
      'the chat was deleted',
      ({ seq }) => bob.request('POST', `/api/chatrooms/chats/${room}/delete`, { seq }),
    ],
  ])('notifies of nothing if meanwhile %s', async (_name, happen) => {
    await createTwo();
    await connectDevice(bob);
    const message = await send(bob, room, 'Mine');
    await react(ada, message, '👍');
    await world.pass(5_000);
    await happen(message);
    await world.pass(60_000);
    expect(phone.attempts).toBe(0);
  });
});

describe('an archived chat', () => {
  test('notifies of messages, which take it out of the archive, and not of reactions', async () => {
    await createTwo();
    const message = await send(bob, room, 'Mine');
    await bob.request('PATCH', `/api/chatrooms/chats/${room}/settings`, { isArchived: true });
    await react(ada, message, '👍');
    await world.pass(60_000);
    expect(phone.attempts).toBe(0);
    await send(ada, room, 'one');
    await world.pass(5_000);
    expect(texts(phone)).toEqual([`${ada.username}: New message`]);
    await react(ada, message, '❤️');
    await world.pass(5_000);
    expect(phone.received).toHaveLength(2);
  });
});

describe('a notification', () => {
  test('names the chatrooms that were read since, once', { tags: ['postgres'] }, async () => {
    const { eve, other } = await createThree();
    await send(ada, room, 'one');
    await world.settle();
    await markAsRead(bob);
    await send(eve, other, 'two');
    await world.pass(5_000);
    expect(shown(phone).at(-1)?.data.read).toEqual([room]);
    await send(eve, other, 'three');
    await world.pass(5_000);
    expect(shown(phone).at(-1)?.data.read).toEqual([]);
  });

  test(
    'names the chatroom of a reaction that the author has had in view since',
    { tags: ['postgres'] },
    async () => {
      const { eve, other } = await createThree();
      const before = phone.received.length;
      const reads = () =>
        shown(phone)
          .slice(before)
          .map(({ data }) => data.read.includes(room));
      await react(ada, await send(bob, room, 'Mine'), '👍');
      await world.settle();
      await send(eve, other, 'one');
      await world.pass(5_000);
      // Bob opens the chatroom, in which nothing is unread, on another device.
      const { socket } = await connectDevice(bob, room);
      await send(eve, other, 'two');
      await world.pass(10_000);
      socket.disconnect();
      await send(eve, other, 'three');
      await world.pass(60_000);
      expect(reads()).toEqual([false, false, true, false]);

      // What is still unread stays.
      await react(ada, await send(bob, room, 'Mine, too'), '👍');
      await world.pass(60_000);
      (await connectDevice(bob, room)).socket.disconnect();
      await world.pass(60_000);
      await send(ada, room, 'unread');
      await world.pass(60_000);
      await send(eve, other, 'four');
      await world.pass(60_000);
      expect(reads().slice(4)).toEqual([false, false, false]);
    },
  );

  test('counts what is unread in chats that are accepted and not muted', async () => {
    await createTwo();
    const eve = await world.signIn('eve');
    const other = await beginChat(eve, bob);
    await send(eve, other, 'muted');
    await beginChat(await world.signIn('mallory'), bob, 'spam', { isRequest: true });
    await bob.request('PATCH', `/api/chatrooms/chats/${other}/settings`, {
      mutedUntil: MUTED_ALWAYS,
    });
    await world.settle();
    await send(ada, room, 'one');
    await send(ada, room, 'two');
    await world.pass(5_000);
    expect(phone.received.at(-1)?.payload).toMatchObject({
      app_badge: 2,
      notification: { app_badge: '2', data: { unread: 2 } },
    });
  });
});

describe('an accepted invitation', () => {
  /** Bob invites Ada, who accepts. Returns their chatroom. */
  async function acceptInvitation(): Promise<string> {
    const invitation = await bob.request('POST', '/api/invitations', { isSingleUse: true });
    const { code } = invitation.body;
    return (await ada.request('POST', '/api/invitations/redeem', { code })).body.chatroomId;
  }

  async function createUnacquainted(): Promise<void> {
    ada = await world.signIn('ada');
    bob = await world.signIn('bob');
    phone = await world.subscribe(bob);
  }

  test.each<[NotificationContent, 'en' | 'de', string]>([
    ['none', 'en', 'Parley: Someone accepted your invitation'],
    ['who', 'en', 'ADA accepted your invitation: Say hello 👋'],
    ['whoAndWhat', 'de', 'ADA hat deine Einladung angenommen: Sag Hallo 👋'],
  ])('notifies the inviter with «%s» in %s: %s', async (content, language, expected) => {
    await createUnacquainted();
    await bob.request('PATCH', '/api/users/language', { language });
    await world.configure(bob, { content });
    const chatroom = await acceptInvitation();
    await world.settle();
    expect(texts(phone)).toEqual([expected.replace('ADA', ada.username)]);
    expect(shown(phone)[0]).toMatchObject({
      tag: chatroom,
      navigate: `${world.server.url}/chatarea/chats/${chatroom}`,
      data: { type: 'invitation', user: bob.username, chatroom, unread: 0, read: [] },
    });
    expect(shown(phone)[0]).not.toHaveProperty('actions');
    expect(phone.received[0]?.urgency).toBe('high');
  });

  test('notifies of nothing once the inviter has opened, muted or blocked the chat', async () => {
    await createUnacquainted();
    await connectDevice(bob);
    const changes: ((chatroom: string) => Promise<unknown>)[] = [
      (id) => markAsRead(bob, id),
      (id) =>
        bob.request('PATCH', `/api/chatrooms/chats/${id}/settings`, { mutedUntil: MUTED_ALWAYS }),
      (id) => changeConsent(bob, id, 'block'),
    ];
    for (const change of changes) {
      ada = await world.signIn('ada');
      await change(await acceptInvitation());
    }
    await world.pass(10_000);
    expect(phone.attempts).toBe(0);
  });

  test('is not notified of beside the first message that soon follows', async () => {
    await createUnacquainted();
    await connectDevice(bob);
    await send(ada, await acceptInvitation(), 'Hello');
    await world.pass(10_000);
    expect(texts(phone)).toEqual([`${ada.username}: New message`]);
  });

  test('notifies the inviter who does not open the chat on a device in use, and not while paused', async () => {
    await createUnacquainted();
    const { socket } = await connectDevice(bob);
    await acceptInvitation();
    await world.settle();
    expect(phone.attempts).toBe(0);
    await world.pass(10_000);
    expect(texts(phone)).toEqual([`${ada.username} accepted your invitation: Say hello 👋`]);
    socket.disconnect();
    const pausedUntil = new Date(Date.now() + 60_000).toISOString();
    await world.configure(bob, { pausedUntil });
    ada = await world.signIn('ada');
    await acceptInvitation();
    await world.pass(10_000);
    expect(phone.received).toHaveLength(1);
  });
});

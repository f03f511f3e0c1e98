import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Message } from '@parley/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeConsent, beginChat, readChatroom, recordEvents } from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { ChatroomMirror } from '../../test/chatroom-mirror.ts';
import type { DomainEvent } from '../domain-events.ts';
import type { ViewedMessage } from '../viewed-message.ts';

let server: TestServer;
let names = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('send' as const), twice: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('read' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('resync' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** A device of a user. It acts sequentially, but concurrently with other devices. */
class Device {
  readonly mirror = new ChatroomMirror();
  readonly sent: Message[] = [];
  readonly user: TestUser;
  readonly chatroomId: string;

  constructor(user: TestUser, chatroomId: string) {
    this.user = user;
    this.chatroomId = chatroomId;
  }

  async run(actions: Action[]): Promise<void> {
    for (const each of actions) await this.act(each);
  }

  async act(each: Action): Promise<void> {
    if (each.do === 'resync') {
      await this.mirror.resync(this.user, [this.chatroomId], 3);
      return;
    }
    if (each.do === 'send') return this.send(each.twice);
    if (each.do === 'read') {
      const path = `/api/chatrooms/chats/${this.chatroomId}/mark-as-read`;
      const response = await this.user.request('POST', path, { seq: each.pick % 30 });
      expect(response.status).toBe(200);
      return undefined;
    }
    const messageId = this.sent[each.pick % this.sent.length]?._id;
    if (messageId === undefined) return undefined;
    const response =
      each.do === 'edit'
        ? await this.user.request('PATCH', '/api/messages/edit', {
            messageId,
            content: randomUUID(),
          })
        : await this.user.request('DELETE', '/api/messages/delete', { messageId });
    expect([200, 404]).toContain(response.status);
    return undefined;
  }

  async send(twice: boolean): Promise<void> {
    const clientId = randomUUID();
    const body = { chatroom: this.chatroomId, content: clientId, clientId };
    const post = () => this.user.request('POST', '/api/messages/send', body);
    const responses = await Promise.all(twice ? [post(), post()] : [post()]);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => body._id)).size).toBe(1);
    this.sent.push(responses[0]?.body as Message);
  }
}

/** Returns the messages that a client would display after these live events. */
function replay(events: readonly DomainEvent[], chatroomId: string): ViewedMessage[] {
  const room = new Map<string, ViewedMessage>();
  let rev = 0;
  for (const event of events) {
    if (event.type === 'message-sent' || event.type === 'message-edited') {
      if (event.message.chatroom !== chatroomId) continue;
      expect(event.message.rev).toBe(++rev);
      expect(room.has(event.message._id)).toBe(event.type === 'message-edited');
      room.set(event.message._id, event.message);
    } else if (event.type === 'message-deleted' && event.deleted.chatroom === chatroomId) {
      expect(event.deleted.rev).toBe(++rev);
      expect(room.delete(event.deleted._id)).toBe(true);
    }
  }
  return [...room.values()].toSorted((a, b) => a.seq - b.seq);
}

async function expectNoGaps(chatroomId: string, devices: readonly Device[]): Promise<void> {
  const rows = await server.ctx.storage.read((db) =>
    db
      .selectFrom('messages')
      .select(['id', 'seq', 'rev'])
      .where('chatroom_id', '=', chatroomId)
      .orderBy('seq')
      .execute(),
  );
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, i) => i + 1));
  expect(new Set(rows.map(({ rev }) => rev)).size).toBe(rows.length);
  // Every acknowledged message exists once, with the `seq` of its response.
  const sent = devices.flatMap((device) => device.sent);
  expect(rows).toHaveLength(sent.length + 1);
  for (const { _id, seq } of sent) expect(rows[seq - 1]?.id).toBe(_id);
}

test('concurrent devices see the same history in live events and after a resync', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 1, maxLength: 15, size: 'max' }), {
        minLength: 2,
        maxLength: 6,
      }),
      async (plans) => {
        names += 2;
        const alice = await server.signIn(`a${names}`);
        const bob = await server.signIn(`b${names}`);
        const events = recordEvents(server);
        const chatroomId = await beginChat(alice, bob);
        const devices = plans.map((_, i) => new Device(i % 2 === 0 ? alice : bob, chatroomId));
        await Promise.all(devices.map((device, i) => device.run(plans[i] ?? [])));

        await expectNoGaps(chatroomId, devices);
        const live = replay(events, chatroomId);
        for (const [i, { user, mirror }] of devices.entries()) {
          await mirror.resync(user, [chatroomId], 1 + i);
          expect(mirror.room(chatroomId)).toEqual(live);
          const page = await readChatroom(user, chatroomId, '?limit=200');
          expect(page.chatroomMessages).toEqual(live);
          const unread = live.filter(
            ({ seq, sender }) => seq > page.chat.readSeq && sender.username !== user.username,
          );
          expect(page.unreadMessagesCount).toBe(unread.length);
          expect(mirror.revs[chatroomId]).toBe(page.chat.rev);
        }
      },
    ),
    { numRuns: 15, endOnFailure: true },
  );
}, 120_000);

test('a block separates messages sent at the same time into delivered and withheld ones', async () => {
  for (let round = 0; round < 6; round += 1) {
    names += 2;
    const alice = await server.signIn(`a${names}`);
    const bob = await server.signIn(`b${names}`);
    const chatroomId = await beginChat(alice, bob);
    const events = recordEvents(server);
    const devices = Array.from({ length: 4 }, () => new Device(alice, chatroomId));
    const block = async () => {
      // Begins after some of the messages.
      while (events.length < round * 4) await setImmediate();
      await changeConsent(bob, chatroomId, 'block');
    };
    const sends = Array.from({ length: 8 }, (): Action => ({ do: 'send', twice: false }));
    await Promise.all([block(), ...devices.map((device) => device.run(sends))]);

    await expectNoGaps(chatroomId, devices);
    expect((await readChatroom(alice, chatroomId, '?limit=200')).chatroomMessages).toHaveLength(33);
    // The block marked everything as read that was sent before.
    const { chatroomMessages, chat } = await readChatroom(bob, chatroomId, '?limit=200');
    const { readSeq } = chat;
    expect(chatroomMessages.map(({ seq }) => seq)).toEqual(
      Array.from({ length: readSeq }, (_, i) => i + 1),
    );
    for (const event of events) {
      if (event.type !== 'message-sent') continue;
      expect(event.members.includes(bob.id)).toBe(event.message.seq <= readSeq);
    }
  }
});

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectLive, connectRaw, dial, openRaw } from '../../test/live.ts';
import { until } from '../../test/until.ts';
import { LIVE_LIMITS } from './live-limits.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await startServer();
  user = await server.signIn('peter');
});
afterAll(() => server.close());

/** Sends an event to the user, to prove that a connection is still served. */
function publish(chatroom: string, to: TestUser = user) {
  server.ctx.events.publish({ type: 'typing', userId: to.id, chatroomId: chatroom });
}

/** Returns an event with an ack id in a frame of the given size. */
function fill(bytes: number): string {
  return `420["${'x'.repeat(bytes - 7)}"]`;
}

const MALFORMED = { code: 1002, reason: 'malformed packet' };

describe('a connected client', () => {
  test.each([
    ['an empty frame', ''],
    ['an unknown Engine.IO packet', 'abc'],
    ['a handshake', '0{"sid":"x"}'],
    ['a ping in the wrong direction', '2'],
    ['a pong with data', '3probe'],
    ['an upgrade', '5'],
    ['a noop', '6'],
    ['an unknown Socket.IO packet', '49'],
    ['an empty message', '4'],
    ['an event without content', '42'],
    ['an event that is not an array', '42{}'],
    ['an event without a name', '42[]'],
    ['an event with a reserved name', '42["connect"]'],
    ['an event that is not JSON', '42["a"'],
    ['an event with a huge ack id', `42${'9'.repeat(400)}["a"]`],
    ['a CONNECT that is not an object', '40[]'],
    ['a second CONNECT', '40'],
    ['an event in a namespace without CONNECT', '42/admin,["a"]'],
    ['a DISCONNECT with content', '41{"a":1}'],
    ['a CONNECT_ERROR', '44{"message":"no"}'],
    ['the head of a binary event', '451-["a",{"_placeholder":true,"num":0}]'],
    ['binary data as base64', 'bAQID'],
  ])('is closed after it sends %s', async (_what, frame) => {
    const raw = await connectRaw(server, user);
    raw.socket.send(frame);
    expect(await raw.closed).toEqual(MALFORMED);
  });

  // The header of a frame has two, four or ten bytes.
  test.each([10, 1_000, 100_000])('receives an event of more than %i bytes', async (bytes) => {
    const raw = await connectRaw(server, user);
    const chatroom = `ü${'x'.repeat(bytes)}`;
    publish(chatroom);
    expect(await raw.next()).toBe(`42["typing",{"chatroom":"${chatroom}"}]`);
  });

  test('is closed after it sends binary data', async () => {
    const raw = await connectRaw(server, user);
    raw.socket.send(Buffer.from('42["a"]'));
    expect(await raw.closed).toEqual({ code: 1003, reason: 'binary data' });
  });

  test('is closed after it sends an oversized frame, but not one with the maximum size', async () => {
    const raw = await connectRaw(server, user);
    raw.socket.send(fill(LIVE_LIMITS.maxPayload));
    expect(await raw.next()).toMatch(/^430/);
    raw.socket.send(fill(LIVE_LIMITS.maxPayload + 1));
    expect(await raw.closed).toMatchObject({ code: 1009 });
  });

  test('is closed after it sends invalid UTF-8', async () => {
    const raw = await connectRaw(server, user);
    raw.socket.send(Buffer.from([0x34, 0x32, 0xff, 0xfe]), { binary: false });
    expect(await raw.closed).toMatchObject({ code: 1007 });
  });

  test('is closed after it sends too many packets', async () => {
    const raw = await connectRaw(server, user);
    for (let i = 0; i <= LIVE_LIMITS.maxPackets; i++) raw.socket.send('42["a"]');
    expect(await raw.closed).toEqual({ code: 1008, reason: 'too many packets' });
  });

  test.each(['ping', 'pong'] as const)('is closed after too many %s frames', async (kind) => {
    const raw = await connectRaw(server, user);
    for (let i = 0; i <= LIVE_LIMITS.maxPackets; i++) raw.socket[kind]();
    expect(await raw.closed).toEqual({ code: 1008, reason: 'too many packets' });
  });

  test('receives a pong frame for a ping frame', async () => {
    const raw = await connectRaw(server, user);
    const pong = once(raw.socket, 'pong');
    raw.socket.ping('still there?');
    expect(String(await pong)).toBe('still there?');
  });

  test('gets an error for an event that requests an acknowledgement, and nothing for others', async () => {
    const { socket } = await connectLive(server, user);
    const response: unknown = await socket.emitWithAck('message', { content: 'hello' });
    expect(response).toEqual({ errorMessage: 'Not found.', code: 'not_found' });
    const raw = await connectRaw(server, user);
    raw.socket.send('42["message",{}]');
    raw.socket.send('437["an unexpected ack"]');
    raw.socket.send('3');
    publish('still-here');
    expect(await raw.next()).toBe('42["typing",{"chatroom":"still-here"}]');
  });

  test.each(['1', '41'])('is closed after it disconnects with %s', async (frame) => {
    const raw = await connectRaw(server, user);
    raw.socket.send(frame);
    expect(await raw.closed).toEqual({ code: 1000, reason: 'bye' });
  });
});

describe('a client that has not sent CONNECT', () => {
  test.each(['42["a"]', '41', '43[]'])('is closed after it sends %s', async (frame) => {
    const raw = await openRaw(server, user);
    raw.socket.send(frame);
    await raw.next();
    expect(await raw.closed).toEqual(MALFORMED);
  });

  test('is refused another namespace and may still connect to the default one', async () => {
    const raw = await openRaw(server, user);
    await raw.next();
    raw.socket.send('40/admin,{"token":1}');
    expect(await raw.next()).toBe('44/admin,{"message":"Invalid namespace"}');
    raw.socket.send('40');
    expect(await raw.next()).toMatch(/^40\{"sid"/);
    raw.socket.send('40/other');
    expect(await raw.next()).toBe('44/other,{"message":"Invalid namespace"}');
  });

  test('receives the error for an unknown namespace through the Socket.IO library', async () => {
    const { socket } = dial({ url: `${server.url}/admin` }, user);
    const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
    expect(error.message).toBe('Invalid namespace');
  });
});

describe('a client that does not read', () => {
  test('is terminated at the buffer limit while others are served', async () => {
    const lazy = await server.signIn('lazy');
    const raw = await connectRaw(server, lazy);
    const brisk = await connectLive(server, user);
    raw.socket.pause();
    const chatroom = 'x'.repeat(100_000);
    const cut = 'terminated a live connection that does not read';
    await until(() => {
      publish(chatroom, lazy);
      return server.log.some((line) => line.includes(cut));
    });
    publish(randomUUID());
    await until(() => brisk.events.length > 0);
    raw.socket.resume();
    expect(await raw.closed).toMatchObject({ code: 1006 });
  });
});

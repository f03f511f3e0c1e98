import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { connectRaw, openRaw } from '../../test/live.ts';
import { LIVE_LIMITS } from './live-limits.ts';

let server: TestServer;
let user: TestUser;
beforeAll(async () => {
  server = await startServer();
  user = await server.signIn('peter');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
beforeEach(waitForTimers);
afterAll(() => {
  vi.useRealTimers();
  return server.close();
});

/** Waits until no timers are left from connections of the previous test. */
async function waitForTimers() {
  while (vi.getTimerCount() > 0) await new Promise((resolve) => setImmediate(resolve));
}

test('closes a client that never sends CONNECT', async () => {
  const raw = await openRaw(server, user);
  await raw.next();
  vi.advanceTimersByTime(LIVE_LIMITS.connectTimeout);
  expect(await raw.closed).toEqual({ code: 1008, reason: 'connect timeout' });
});

test('pings a client every 25 seconds while it responds', async () => {
  const raw = await connectRaw(server, user);
  for (let round = 0; round < 5; round++) {
    vi.advanceTimersByTime(25_000);
    expect(await raw.next()).toBe('2');
    raw.socket.send('3');
    // Proves that the pong was processed before time advances.
    raw.socket.send(`42${round}["a"]`);
    expect(await raw.next()).toMatch(new RegExp(`^43${round}`));
  }
});

test('closes a client that does not respond within 20 seconds, and serves it until then', async () => {
  const raw = await connectRaw(server, user);
  vi.advanceTimersByTime(25_000);
  expect(await raw.next()).toBe('2');
  server.ctx.events.publish({ type: 'typing', userId: user.id, chatroomId: 'between' });
  expect(await raw.next()).toMatch(/between/);
  vi.advanceTimersByTime(20_000);
  expect(await raw.closed).toEqual({ code: 1008, reason: 'ping timeout' });
});

test('terminates a client that does not respond to the close frame', async () => {
  const raw = await connectRaw(server, user);
  raw.socket.pause();
  vi.advanceTimersByTime(25_000 + 20_000);
  vi.advanceTimersByTime(LIVE_LIMITS.closeTimeout);
  await waitForTimers();
  raw.socket.resume();
  await raw.closed;
});

test('leaves no timer after the last client has disconnected', async () => {
  const clients = await Promise.all([
    openRaw(server, user),
    connectRaw(server, user),
    connectRaw(server, user),
  ]);
  vi.advanceTimersByTime(10_000);
  clients.push(await connectRaw(server, user));
  vi.advanceTimersByTime(14_000);
  expect(vi.getTimerCount()).toBeGreaterThan(0);
  for (const { socket } of clients) socket.terminate();
  await waitForTimers();
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startServer } from '../../test/harness.ts';
import { createViewTracker } from './view-tracker.ts';

test('a chatroom that was in view before the clock was put back was not in view since', async () => {
  const server = await startServer();
  const views = createViewTracker(server.ctx);
  onTestFinished(async () => {
    vi.useRealTimers();
    views.stop();
    await server.close();
  });
  const device = {};
  const before = performance.now();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  views.report(device, { userId: 'bob', chatroomId: 'a', isActive: true });
  views.report(device, { userId: 'bob', chatroomId: null, isActive: true });
  vi.useRealTimers();
  await nextTurn();
  expect(views.wasInViewSince('bob', 'a', before)).toBe(true);
  expect(views.wasInViewSince('bob', 'a', performance.now())).toBe(false);
});

import { describe, expect, test } from 'vitest';
import { createPushLanes, type LaneUse, type PushLanes } from './push-lanes.ts';

const NOW = 1_000_000;

const laneFor = (service: string, userId: string, isProven = true): LaneUse => ({
  service,
  userId,
  isProven,
});

/** Reserves lanes of different users until none is free. Returns their number. */
function occupy(lanes: PushLanes, service: string, now = NOW, isProven = true): number {
  let count = 0;
  while (lanes.reserve(laneFor(service, `${service} ${count}`, isProven), now)) count += 1;
  return count;
}

test('limits the lanes of a user, and frees them', () => {
  const lanes = createPushLanes();
  const freed = [1, 2, 3, 4].map(() => lanes.reserve(laneFor('a', 'ada'), NOW));
  expect(lanes.isFree(laneFor('b', 'ada'), NOW)).toBe(false);
  expect(lanes.reserve(laneFor('b', 'ada'), NOW)).toBeUndefined();
  expect(lanes.isFree(laneFor('a', 'bob'), NOW)).toBe(true);
  freed[0]?.();
  expect(lanes.isFree(laneFor('b', 'ada'), NOW)).toBe(true);
});

test('keeps lanes for subscriptions that have worked', () => {
  const lanes = createPushLanes();
  for (let i = 0; i < 8; i += 1) lanes.reserve(laneFor(`service ${i}`, `user ${i}`, false), NOW);
  expect(lanes.isFree(laneFor('a', 'ada', false), NOW)).toBe(false);
  expect(lanes.isFree(laneFor('a', 'ada'), NOW)).toBe(true);
});

test('keeps lanes for other services than one with many messages', () => {
  const lanes = createPushLanes();
  expect(occupy(lanes, 'many')).toBe(16);
  expect(lanes.isFree(laneFor('a', 'ada'), NOW)).toBe(true);
});

test('waits no longer than a pause lasts if the clock is put back', () => {
  const lanes = createPushLanes();
  const handled = { hasResponded: false, duration: 10_000 };
  lanes.record(laneFor('dead', 'ada'), handled, NOW + 3_600_000);
  expect(lanes.isFree(laneFor('dead', 'bob'), NOW)).toBe(true);
  expect(lanes.retryAt('dead', NOW)).toBeLessThanOrEqual(NOW + 60_000);
});

test('leaves lanes to new subscriptions while a few users use ever new slow services', () => {
  const lanes = createPushLanes();
  let now = NOW;
  let host = 0;
  const users = Array.from({ length: 8 }, (_, i) => `attacker ${i}`);
  /** Occupies as many lanes as possible for 10 seconds. Returns their number, and whether one is left for Bob. */
  function attack(isProven = false): { count: number; isFree: boolean } {
    const uses = [0, 1, 2, 3].flatMap(() =>
      users.map((userId) => laneFor(`host ${(host += 1)}`, userId, isProven)),
    );
    const occupied = uses.flatMap((use) => {
      const free = lanes.reserve(use, now);
      return free === undefined ? [] : [{ use, free }];
    });
    const isFree = lanes.isFree(laneFor('a', 'bob', false), now);
    now += 10_000;
    for (const { use, free } of occupied) {
      free();
      lanes.record(use, { hasResponded: true, duration: 10_000 }, now);
    }
    return { count: occupied.length, isFree };
  }
  expect(attack()).toEqual({ count: 8, isFree: false });
  for (let i = 0; i < 10; i += 1) expect(attack()).toEqual({ count: 4, isFree: true });
  // Responding quickly in between does not help.
  for (const userId of users) {
    lanes.record(laneFor('host', userId), { hasResponded: true, duration: 50 }, now);
  }
  expect(attack(true)).toEqual({ count: 4, isFree: true });
  now += 10 * 60_000;
  expect(attack(true).count).toBe(32);
});

test('leaves a lane of the slow users to an honest one beside an attacker', () => {
  const lanes = createPushLanes();
  for (const userId of ['attacker', 'ada']) {
    lanes.record(laneFor(userId, userId), { hasResponded: true, duration: 4_000 }, NOW);
  }
  const held = [0, 1, 2, 3].filter((i) => lanes.reserve(laneFor(`host ${i}`, 'attacker'), NOW));
  expect(held).toHaveLength(1);
  expect(lanes.isFree(laneFor('a', 'ada'), NOW)).toBe(true);
});

describe('if a service that responded fast becomes slow', () => {
  /** Returns how many lanes a user has for other services. */
  function countLanes(lanes: PushLanes, userId: string, now: number): number {
    return [0, 1, 2, 3].filter((i) => lanes.reserve(laneFor(`other ${i}`, userId), now)).length;
  }

  test.each([
    ['an outage', { hasResponded: false, duration: 10_000 }],
    ['slow responses', { hasResponded: true, duration: 4_000 }],
  ])('%s reduces the lanes of no user, however long it is', (_, handled) => {
    const lanes = createPushLanes();
    const users = ['ada', 'bob', 'carla'];
    for (const userId of ['ada', 'bob', 'bob']) {
      lanes.record(laneFor('good', userId), { hasResponded: true, duration: 50 }, NOW);
    }
    let now = NOW;
    for (let minute = 9; minute < 60; minute += 10) {
      now = NOW + minute * 60_000;
      for (const userId of users) lanes.record(laneFor('good', userId), handled, now);
    }
    for (const userId of users) expect(countLanes(lanes, userId, now)).toBe(4);
  });

  test.each([
    ['only to the same user', 'ada', 1_000],
    ['to others long ago', 'bob', 11 * 60_000],
  ])('counts a user as slow if it was fast %s', (_, fastFor, later) => {
    const lanes = createPushLanes();
    lanes.record(laneFor('a', fastFor), { hasResponded: true, duration: 50 }, NOW);
    const now = NOW + later;
    lanes.record(laneFor('a', 'ada'), { hasResponded: true, duration: 4_000 }, now);
    expect(countLanes(lanes, 'ada', now)).toBe(1);
  });
});

test('gives few lanes to services that respond slowly, however many there are', () => {
  const lanes = createPushLanes();
  for (const service of ['slow', 'slow, too', 'as slow']) {
    lanes.record(laneFor(service, 'ada'), { hasResponded: true, duration: 9_000 }, NOW);
  }
  expect(occupy(lanes, 'slow')).toBe(4);
  expect(occupy(lanes, 'slow, too')).toBe(4);
  expect(occupy(lanes, 'as slow')).toBe(0);
  expect(occupy(lanes, 'fast')).toBe(16);
});

test('trusts a slow service again once it responds quickly', () => {
  const lanes = createPushLanes();
  lanes.record(laneFor('a', 'ada'), { hasResponded: true, duration: 9_000 }, NOW);
  lanes.record(laneFor('a', 'ada'), { hasResponded: true, duration: 50 }, NOW);
  expect(occupy(lanes, 'a')).toBe(16);
});

test('pauses a service that does not respond for longer each time, up to a minute', () => {
  const lanes = createPushLanes();
  const pauses: number[] = [];
  let now = NOW;
  for (let i = 0; i < 8; i += 1) {
    now += 10_000;
    // Messages that were sent together count once.
    for (const late of [0, 1, 2]) {
      lanes.record(laneFor('dead', 'ada'), { hasResponded: false, duration: 10_000 }, now + late);
    }
    expect(lanes.isFree(laneFor('dead', 'ada'), now + 2)).toBe(false);
    const retryAt = lanes.retryAt('dead', now + 2);
    pauses.push(retryAt - now - 2);
    expect(lanes.isFree(laneFor('dead', 'ada'), retryAt)).toBe(true);
    now = retryAt;
  }
  expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000));
  expect(lanes.isFree(laneFor('other', 'ada'), now)).toBe(true);
  lanes.record(laneFor('dead', 'ada'), { hasResponded: true, duration: 50 }, now);
  expect(lanes.retryAt('dead', now)).toBe(now + 1_000);
});

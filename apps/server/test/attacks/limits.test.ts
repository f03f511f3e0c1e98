import { expect, test } from 'vitest';
import { runAttack } from './run-attack.ts';

const DURATION = { quiet: 0.5, attack: 3 };
const TIMEOUT = 120_000;

test(
  'does not lock a user out because of failed attempts by others',
  async () => {
    const { counts } = await runAttack('lockout', DURATION);
    expect(counts).toEqual({ ownResetStatus: 200, ownKeyStatus: 401, ownLoginStatus: 200 });
  },
  TIMEOUT,
);

test(
  'lets the owner of an address register it although others register it before and after',
  async () => {
    const { counts } = await runAttack('foreign-address', DURATION);
    expect(counts).toEqual({
      attackerRegistrations: 4,
      ownerRegisterStatus: 201,
      ownerVerified: 1,
      attackerLoginStatus: 404,
      ownerLoginStatus: 200,
    });
  },
  TIMEOUT,
);

test(
  'counts a client with forged X-Forwarded-For headers as one address',
  async () => {
    const { counts } = await runAttack('forwarded-addresses', DURATION);
    expect(counts).toEqual({ portsLetThrough: 60, garbageLetThrough: 60, networksLetThrough: 60 });
  },
  TIMEOUT,
);

test(
  'counts first messages as username lookups, like searches',
  async () => {
    const { counts, attacked } = await runAttack('name-lookups', DURATION);
    // The attack spans at most two rate limit windows, however slow the machine is.
    expect(counts['status404']).toBeLessThanOrEqual(120);
    expect(counts['status429']).toBeGreaterThan(0);
    expect(attacked.failures).toBe(0);
  },
  TIMEOUT,
);

test(
  'limits requests for changes by their cost',
  async () => {
    const { counts, attacked } = await runAttack('resync-flood', DURATION);
    // 60,000 chatrooms per minute, and each request costs 50 more.
    expect(counts['status200']).toBeLessThanOrEqual(2 * 57);
    expect(counts['status429']).toBeGreaterThan(0);
    expect(attacked.failures).toBe(0);
  },
  TIMEOUT,
);

test(
  'lets other users log in during a flood of logins',
  async () => {
    const { counts, attacked } = await runAttack('parallel-logins', DURATION);
    expect(counts['userLogins']).toBeGreaterThan(0);
    expect(counts['userRefused']).toBe(0);
    expect(attacked.failures).toBe(0);
  },
  TIMEOUT,
);

test(
  'lets other users log in, register and change passwords while one account guesses with many device cookies',
  async () => {
    const { counts } = await runAttack('device-cookies', DURATION);
    expect(counts).toMatchObject({ devices: 60, guessed: 10 });
    expect(counts).toMatchObject({ loginsRefused: 0, registrationsRefused: 0, changesRefused: 0 });
  },
  TIMEOUT,
);

test(
  'limits guesses with device cookies from before a change of the password, but not the owner',
  async () => {
    const { counts } = await runAttack('former-password', DURATION);
    expect(counts).toEqual({ devices: 45, tried: 10, refused: 440, ownLoginStatus: 200 });
  },
  TIMEOUT,
);

test(
  'limits the mails to one mailbox',
  async () => {
    const { counts } = await runAttack('reset-mails', DURATION);
    expect(counts).toEqual({ mailsByDevices: 5, mailsByNetworks: 15 });
  },
  TIMEOUT,
);

test.each(['upload-slots-one-network', 'upload-slots-many-networks'] as const)(
  'accepts uploads of a user while others keep as many open as they can: %s',
  async (name) => {
    const { counts } = await runAttack(name, DURATION);
    expect(counts['uploaded']).toBeGreaterThan(0);
    expect(counts['refused']).toBe(0);
  },
  TIMEOUT,
);

test(
  'answers others while many connections request much at the same time',
  async () => {
    const { attacked, longestTurn } = await runAttack('bursts', { quiet: 0.5, attack: 10 });
    expect(attacked.failures).toBe(0);
    // Of about 100 ms from sources. One turn for a burst took 6 s.
    expect(longestTurn.attacked).toBeLessThan(1_000);
  },
  TIMEOUT,
);

test(
  'answers others while many connections send bodies in chunks of one byte',
  async () => {
    const { attacked, counts, memory } = await runAttack('tiny-chunks', DURATION);
    expect(attacked.failures).toBe(0);
    expect(counts['closed']).toBeGreaterThan(300);
    // Of about 100 MiB. Without limits, it runs out of memory.
    expect(memory.peak - memory.before).toBeLessThan(400);
  },
  TIMEOUT,
);

test(
  'answers others while many connections send JSON that takes long to parse',
  async () => {
    const { attacked, counts } = await runAttack('costly-bodies', DURATION);
    expect(attacked.failures).toBe(0);
    expect(counts['status413']).toBeGreaterThan(0);
    // Others wait for one body at most. Without turns, a burst took 15 s.
    expect(attacked.stall).toBeLessThan(5_000);
  },
  TIMEOUT,
);

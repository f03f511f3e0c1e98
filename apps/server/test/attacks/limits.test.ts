import { expect, test } from 'vitest';
import { carryOut } from './carry-out.ts';

const DURATION = { quiet: 0.5, attack: 3 };
const PATIENCE = 120_000;

test(
  'failures in the name of somebody do not keep them out',
  async () => {
    const { counts } = await carryOut('lockout', DURATION);
    expect(counts).toEqual({ ownResetStatus: 200, ownKeyStatus: 401, ownLoginStatus: 200 });
  },
  PATIENCE,
);

test(
  'what a client writes into X-Forwarded-For makes no new addresses',
  async () => {
    const { counts } = await carryOut('forwarded-addresses', DURATION);
    expect(counts).toEqual({ portsLetThrough: 60, garbageLetThrough: 60, networksLetThrough: 60 });
  },
  PATIENCE,
);

test(
  'names can be told apart as often as they can be searched for',
  async () => {
    const { counts, attacked } = await carryOut('name-lookups', DURATION);
    // Two windows at most, however slow the machine is.
    expect(counts['status404']).toBeLessThanOrEqual(120);
    expect(counts['status429']).toBeGreaterThan(0);
    expect(attacked.failures).toBe(0);
  },
  PATIENCE,
);

test(
  'catching up has a limit by what it costs',
  async () => {
    const { counts, attacked } = await carryOut('catching-up', DURATION);
    // 60,000 chatrooms a minute, and each request costs 50 of them besides.
    expect(counts['status200']).toBeLessThanOrEqual(2 * 57);
    expect(counts['status429']).toBeGreaterThan(0);
    expect(attacked.failures).toBe(0);
  },
  PATIENCE,
);

test(
  'a flood of logins leaves the logins of others their turn',
  async () => {
    const { counts, attacked } = await carryOut('parallel-logins', DURATION);
    expect(counts['ownLogins']).toBeGreaterThan(0);
    expect(counts['ownRefused']).toBe(0);
    expect(attacked.failures).toBe(0);
  },
  PATIENCE,
);

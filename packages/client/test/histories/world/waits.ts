import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryWorld } from './history-world.ts';

/** Milliseconds after which a wait fails. No other outcome depends on it. */
const TIMEOUT_MS = 60_000;

/** Signs in tabs whose session has ended, and waits until all tabs are connected. */
export async function untilLive(world: HistoryWorld): Promise<void> {
  await waitUntil(world, 'all tabs are connected', async () => {
    for (const tab of world.tabs) if (!tab.client) await world.signIn(tab);
    return world.tabs.every(({ client }) => client?.connection.getState().status === 'online');
  });
}

/** Waits until no requests are pending. */
export async function untilIdle(world: HistoryWorld): Promise<void> {
  for (let turns = 0; turns < 4; turns += 1) {
    await sleep(2);
    if (!world.isIdle) turns = -1;
  }
}

/** Waits until every tab has received all events that were sent before. */
export async function drainEvents(world: HistoryWorld): Promise<void> {
  const { server, second } = world.site;
  const servers = second ? [server, second] : [server];
  const expected = world.tabs.map(({ markers }) => markers + servers.length);
  const settings = { volume: 'full' } as const;
  for (const { ctx } of servers) {
    // A write, so that other servers publish it after the events of earlier ones.
    await ctx.storage.write(async ({ emit }) => {
      for (const { id: userId } of world.users)
        emit({ type: 'settings-changed', userId, settings });
    });
  }
  await waitUntil(world, 'all events have arrived', () =>
    world.tabs.every(({ markers }, i) => markers >= (expected[i] ?? 0)),
  );
}

/** Waits until a check passes. Rejects after a long time with the state of the tabs. */
export async function waitUntil(
  world: HistoryWorld,
  what: string | (() => string),
  check: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await check())) {
    if (Date.now() > deadline) {
      const wanted = typeof what === 'string' ? what : what();
      throw new Error(`timed out waiting until ${wanted}: ${describe(world)}`);
    }
    await sleep(2);
  }
}

function describe({ tabs }: HistoryWorld): string {
  return JSON.stringify(
    tabs.map(({ client }) => [
      client?.connection.getState().status,
      client?.outbox.getState().entries,
      client?.outbox.getState().changes,
    ]),
  );
}

import { setTimeout as sleep } from 'node:timers/promises';
import { TIMING, type Tab } from '../world/tab.ts';
import type { HistoryWorld } from '../world/history-world.ts';

/** Milliseconds in which changes are sent, even on a slow machine and after the storage has failed. */
const PROMPT_MS = 15_000;
/** Number of waits until a partner must no longer be shown as typing. A late signal shows it again. */
const TYPING_WAITS = 6;

/**
 * Checks that each tab sends changes that are waiting, without a reconnect or another change,
 * unless a fault prevents it.
 */
export async function checkChangesAreSent(world: HistoryWorld): Promise<void> {
  const deadline = Date.now() + PROMPT_MS;
  const findLate = (): Tab | undefined =>
    world.tabs.find((tab) => hasChanges(tab) && canSend(world, tab));
  for (let late = findLate(); late; late = findLate()) {
    if (Date.now() > deadline) {
      const { changes = [] } = late.client?.outbox.getState() ?? {};
      world.problems.add(`changes are not sent: ${JSON.stringify(changes)}`);
      return;
    }
    await sleep(2);
  }
}

function hasChanges({ client }: Tab): boolean {
  return (client?.outbox.getState().changes.length ?? 0) > 0;
}

/** Returns whether nothing keeps a tab from sending, such as another tab of the browser that waits for a response. */
function canSend({ tabs }: HistoryWorld, { client, network, browser }: Tab): boolean {
  return (
    network.isUp &&
    client?.connection.getState().status === 'online' &&
    tabs.every((tab) => tab.browser !== browser || !tab.network.isHolding)
  );
}

/** Checks that a partner is no longer shown as typing after a while, whatever else happens. */
export async function checkTypingEnds({ tabs, problems }: HistoryWorld): Promise<void> {
  const isShown = (): boolean =>
    tabs.some(({ client }) => (client?.activity.getState().typing.size ?? 0) > 0);
  for (let waits = 0; waits < TYPING_WAITS && isShown(); waits += 1) {
    await sleep(2 * TIMING.typingShown);
  }
  if (isShown()) problems.add('a partner is shown as typing forever');
}

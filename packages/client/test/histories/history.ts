import { setTimeout as sleep } from 'node:timers/promises';
import { actApart } from './actions/apart.ts';
import { sendDrafts, submitText } from './actions/sending.ts';
import { takeStep } from './actions/take-step.ts';
import { checkTypingEnds } from './checks/check-promptness.ts';
import { findDifferences } from './checks/find-differences.ts';
import type { Plan } from './steps.ts';
import { drainEvents, waitUntil, untilIdle, untilLive } from './world/waits.ts';
import { HistoryWorld, type Site } from './world/history-world.ts';

/** Milliseconds in which the server has told the activity of partners, even on a slow machine. */
const ACTIVITY_MS = 5_000;
/** Number of comparisons before clients and server count as different. All are idle before each. */
const COMPARISONS = 6;

/**
 * Runs a random history of two users with tabs and one user without. Rejects with the differences between
 * the tabs, the server and the model at the end.
 */
export async function runHistory(site: Site, plan: Plan): Promise<void> {
  const world = new HistoryWorld(site, plan);
  try {
    await world.begin();
    await openChatrooms(world);
    for (const step of plan.steps) {
      await takeStep(world, step);
      // Lets the step begin before the next one.
      await sleep(0);
    }
    await checkTypingEnds(world);
    await settle(world);
    await check(world, 0);
    const knownTabs = world.tabs.length;
    world.addFreshTabs();
    await openChatrooms(world);
    await check(world, knownTabs);
    if (!plan.apart) return;
    await actApart(world, plan.apart, (tabs) => untilSent(world, tabs));
    await check(world, 0);
  } finally {
    world.close();
  }
}

async function openChatrooms(world: HistoryWorld): Promise<void> {
  await untilLive(world);
  for (const tab of world.tabs) if (tab.chatroomId !== undefined) tab.open(tab.chatroomId);
  await untilIdle(world);
}

/** Ends all faults and waits until everything is sent. */
async function settle(world: HistoryWorld): Promise<void> {
  const { tabs } = world;
  for (const tab of tabs) {
    tab.network.heal();
    tab.browser.repairStorage();
  }
  await untilLive(world);
  if (world.plan.healedBy === 'reconnect') {
    for (const tab of tabs) tab.client?.renewConnection();
  } else {
    await untilIdle(world);
    for (const tab of tabs.slice(0, 2)) submitText(world, tab);
    await world.sendAsOtherUser();
    // No other event reveals what the devices of a user missed in a hidden chatroom.
    for (const { client, user } of tabs) {
      if (world.ledger.hasHidden(user.username)) client?.renewConnection();
    }
  }
  await untilLive(world);
  // Retries loading chatrooms that failed to load, as a user would.
  for (const tab of tabs) if (tab.openedId !== undefined) tab.open(tab.openedId);
  await untilSent(world);
  // Entries that a page failed to read are sent after its next load.
  const failed = tabs.filter(({ browser }) => browser.hasFailed);
  if (failed.length === 0) return;
  for (const tab of failed) world.load(tab);
  await untilLive(world);
  await untilSent(world);
}

/** Waits until nothing is left to send. Meanwhile, sends what became a draft again. */
async function untilSent(world: HistoryWorld, tabs = world.tabs): Promise<void> {
  await waitUntil(world, 'all messages are sent', () => {
    for (const tab of tabs) sendDrafts(world, tab);
    return tabs.every(
      ({ client }) =>
        client?.outbox.getState().entries.length === 0 &&
        client.outbox.getState().changes.length === 0,
    );
  });
}

/**
 * Compares the tabs with the server until they agree or all comparisons are used up.
 * @param from index of the first tab to compare: 0, or the index of the first fresh tab
 */
async function check(world: HistoryWorld, from: number): Promise<void> {
  for (const user of world.users) await world.recordWithheld(user);
  for (const tab of world.tabs) world.findChatroomId(tab);
  let problems: string[] = [];
  let findActivityProblems = (): string[] => [];
  for (let comparisons = 0; comparisons < COMPARISONS; comparisons += 1) {
    await untilIdle(world);
    await drainEvents(world);
    await untilIdle(world);
    ({ problems, findActivityProblems } = await findDifferences(world, from));
    if (problems.length === 0) break;
  }
  const deadline = Date.now() + ACTIVITY_MS;
  while (findActivityProblems().length > 0 && Date.now() < deadline) await sleep(5);
  problems.push(...findActivityProblems(), ...world.problems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

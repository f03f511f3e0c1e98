import type { ChatState } from '@parley/contract';
import type { TestUser } from '@parley/server/test-server';
import { findDifferences } from '../checks/find-differences.ts';
import type { ApartPlan, ChatSettingName } from '../steps.ts';
import type { HistoryWorld } from '../world/history-world.ts';
import type { Tab } from '../world/tab.ts';
import { waitUntil } from '../world/waits.ts';
import { set } from './changing.ts';
import { takeStep } from './take-step.ts';

/** A setting that a device has changed. */
interface SettingMade {
  readonly tab: Tab;
  readonly setting: ChatSettingName;
}

/**
 * Starts all devices again without a connection, where they must show what they have stored, and lets their users act.
 * Then connects one after the other: the last one that is connected decides about each setting.
 * @param untilSent resolves once tabs have sent everything
 */
export async function actApart(
  world: HistoryWorld,
  apart: ApartPlan,
  untilSent: (tabs: Tab[]) => Promise<void>,
): Promise<void> {
  const { tabs, users } = world;
  await startOffline(world);
  const before = new Map<TestUser, ChatState | undefined>();
  for (const user of users) before.set(user, await findChat(world, user));
  const made: SettingMade[] = [];
  for (const step of apart.steps) {
    const tab = tabs[step.tab % tabs.length] as Tab;
    if (step.do !== 'set') await takeStep(world, step);
    else if (set(world, tab, step.setting)) made.push({ tab, setting: step.setting });
  }
  const browsers = [...Map.groupBy(tabs, ({ browser }) => browser).values()];
  const first = apart.first % browsers.length;
  const order = [...browsers.slice(first), ...browsers.slice(0, first)];
  for (const own of order) {
    for (const { network } of own) network.restore();
    await waitUntil(world, 'a device is connected', async () => {
      for (const tab of own) if (!tab.client) await world.signIn(tab);
      return own.every(({ client }) => client?.connection.getState().status === 'online');
    });
    await untilSent(own);
    if (!apart.isReadAfter) continue;
    for (const tab of own) tab.read();
    await untilSent(own);
  }
  const arrived = order.flat().flatMap((tab) => made.filter((each) => each.tab === tab));
  for (const [user, chat] of before) {
    const after = await findChat(world, user);
    if (!chat || !after) continue;
    const own = arrived.flatMap(({ tab, setting }) => (tab.user === user ? [setting] : []));
    for (const problem of findProblems(world, user, { apart, chat, after, own })) {
      world.problems.add(`${user.username}: ${problem}`);
    }
  }
}

/** Starts each device without a connection, and waits until it shows the same as the server. */
async function startOffline(world: HistoryWorld): Promise<void> {
  const { tabs } = world;
  for (const tab of tabs) {
    // Opening a chat that is marked as unread ends the mark.
    if (tab.openedId !== undefined) tab.leave(tab.openedId);
    // What could not be stored is only on the page.
    if (tab.browser.hasFailed) tab.network.cut();
    else world.load(tab, true);
  }
  let problems: string[] = [];
  await waitUntil(
    world,
    () => `the offline copies are current: ${problems.join()}`,
    async () => {
      for (const { client, chatroomId } of tabs)
        if (chatroomId !== undefined) void client?.open(chatroomId);
      ({ problems } = await findDifferences(world, 0));
      return problems.length === 0;
    },
  );
}

async function findChat(
  { chatroomId }: HistoryWorld,
  user: TestUser,
): Promise<ChatState | undefined> {
  const { body } = await user.request('GET', '/api/chatrooms/chats');
  return (body.chatrooms as ChatState[]).find(({ chatId }) => chatId === chatroomId);
}

interface Outcome {
  readonly apart: ApartPlan;
  readonly chat: ChatState;
  readonly after: ChatState;
  /** The user's settings, in the order in which they arrived at the server. */
  readonly own: readonly ChatSettingName[];
}

function findProblems(
  { plan, tabs, hasHidden }: HistoryWorld,
  user: TestUser,
  { apart, chat, after, own }: Outcome,
): string[] {
  const problems: string[] = [];
  if (after.readSeq < chat.readSeq) {
    problems.push(`the read position went back from ${chat.readSeq} to ${after.readSeq}`);
  }
  // The server refuses settings of a hidden chat. The tabs of a browser send in an order of their own.
  if (hasHidden || plan.second === 'tab') return problems;
  const isByPartner = (index: number) => tabs[index % tabs.length]?.user !== user;
  const isReadApart = apart.steps.some((step) => step.do === 'read' && !isByPartner(step.tab));
  const isRead = isReadApart || apart.isReadAfter;
  const hasNews = apart.steps.some((step) => step.do === 'reply' && isByPartner(step.tab));
  const expected = own.reduce(withSetting, pickSettings(chat));
  const found = pickSettings(after);
  const isRight =
    found.isPinned === expected.isPinned &&
    found.isMuted === expected.isMuted &&
    // A message of the partner ends the archiving, and reading the mark.
    (found.isArchived === expected.isArchived || (hasNews && expected.isArchived)) &&
    (found.isMarkedUnread === expected.isMarkedUnread || (isRead && expected.isMarkedUnread));
  if (!isRight) {
    problems.push(
      `the settings are ${JSON.stringify(found)}, not ${JSON.stringify(expected)} after ${own.join()}`,
    );
  }
  return problems;
}

interface Settings {
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  readonly isMuted: boolean;
  readonly isMarkedUnread: boolean;
}

function pickSettings({ settings = {} }: ChatState): Settings {
  const { isPinned = false, isArchived = false, mutedUntil, isMarkedUnread = false } = settings;
  return { isPinned, isArchived, isMuted: mutedUntil !== undefined, isMarkedUnread };
}

function withSetting(before: Settings, setting: ChatSettingName): Settings {
  if (setting === 'mark') return { ...before, isMarkedUnread: true };
  if (setting.endsWith('mute')) return { ...before, isMuted: setting === 'mute' };
  return { ...before, isPinned: setting === 'pin', isArchived: setting === 'archive' };
}

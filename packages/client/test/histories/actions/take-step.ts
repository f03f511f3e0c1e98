import { checkChangesAreSent } from '../checks/check-promptness.ts';
import type { Step } from '../steps.ts';
import type { Tab } from '../world/tab.ts';
import { untilIdle } from '../world/waits.ts';
import type { HistoryWorld } from '../world/history-world.ts';
import { change, react, set } from './changing.ts';
import { changeStatus, share, type } from './partner.ts';
import {
  create,
  discard,
  draft,
  forward,
  reply,
  submitAlbum,
  submitFile,
  submitText,
} from './sending.ts';

/** A step that happens in a tab. */
type TabStep = Extract<Step, { tab: number }>;
/** A step without a tab, which has no parameters. */
type OtherStep = Exclude<Step, TabStep>;

type TabActions = {
  readonly [Name in TabStep['do']]: (
    world: HistoryWorld,
    tab: Tab,
    step: Extract<TabStep, { do: Name }>,
  ) => void | Promise<void>;
};

const TAB_ACTIONS: TabActions = {
  send: submitText,
  reply: (world, tab, { pick, isToShown }) => reply(world, tab, pick, isToShown),
  forward: (world, tab, { pick, count }) => forward(world, tab, pick, count),
  'send-file': (world, tab, { kind }) => submitFile(world, tab, kind),
  'send-album': (world, tab, { count, hasCaption }) => submitAlbum(world, tab, count, hasCaption),
  create,
  draft,
  discard: (world, tab, { pick }) => discard(world, tab, pick),
  edit: change,
  delete: change,
  react,
  set: (world, tab, { setting }) => void set(world, tab, setting),
  type,
  share: (world, tab, { what, isShared }) => share(world, tab, what, isShared),
  accept: (world, tab) => changeStatus(world, tab, 'accept'),
  decline: (world, tab) => changeStatus(world, tab, 'decline'),
  block: (world, tab) => changeStatus(world, tab, 'block'),
  unblock: (world, tab) => changeStatus(world, tab, 'unblock'),
  read: (_world, tab) => tab.read(),
  use: (_world, tab, { isActive }) => tab.use(isActive),
  open: (world, tab) => {
    const chatroomId = world.findChatroomId(tab);
    if (chatroomId !== undefined) tab.open(chatroomId);
  },
  leave: (_world, tab) => {
    if (tab.chatroomId !== undefined) tab.leave(tab.chatroomId);
  },
  'reload-list': (_world, tab) => tab.client?.reloadChats(),
  'storage-faults': (_world, tab, { count }) => tab.browser.failStorage(count),
  'request-faults': (_world, tab, { faults }) => void tab.network.requestFaults.push(...faults),
  'event-faults': (_world, tab, { faults }) => void tab.network.eventFaults.push(...faults),
  release: (_world, tab) => tab.network.release(),
  cut: (_world, tab) => tab.network.cut(),
  restore: (_world, tab) => tab.network.restore(),
  'renew-connection': (_world, tab) => tab.client?.renewConnection(),
  reload: (world, tab) => {
    if (tab.client) world.load(tab);
  },
  expire: (world, tab) => world.site.server.expireSessions(tab.user),
  'sign-in': (world, tab) => (tab.client ? undefined : world.signIn(tab)),
};

const OTHER_ACTIONS: Readonly<Record<OtherStep['do'], (world: HistoryWorld) => Promise<void>>> = {
  pause: async (world) => {
    await untilIdle(world);
    await checkChangesAreSent(world);
  },
  restart: async ({ site }) => {
    site.server = await site.server.restart();
  },
  'other-user-sends': (world) => world.sendAsOtherUser(),
  'sweep-uploads': ({ site, users }) => site.server.sweepUploads(users),
};

/** Takes a step of a history, and records in the model what it changes. */
export async function takeStep(world: HistoryWorld, step: Step): Promise<void> {
  if (!('tab' in step)) return OTHER_ACTIONS[step.do](world);
  const tab = world.tabs[step.tab % world.tabs.length] as Tab;
  const act = TAB_ACTIONS[step.do] as (
    world: HistoryWorld,
    tab: Tab,
    step: TabStep,
  ) => void | Promise<void>;
  await act(world, tab, step);
}

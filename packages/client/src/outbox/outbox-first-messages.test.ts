import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOutboxWorld,
  entriesOf,
  states,
  eventually,
  untilEmpty,
  type OutboxWorld,
  type OutboxTab,
} from '../../test/outbox-world.ts';

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => world.close());

describe('the outbox with first messages', () => {
  const created = (tab: OutboxTab) => tab.outboxStore.store.getState().created['bob']?.chatroomId;

  it('creates a chatroom with a first message', async () => {
    const tab = world.openTab();
    tab.actions.sendFirstMessage('Bob', 'hello');
    await untilEmpty(tab);
    expect(created(tab)).toBe('room of Bob');
    tab.outboxStore.store.getState().forgetCreated('Bob');
    expect(created(tab)).toBeUndefined();
  });

  it('tells of a chatroom whose first message was discarded on its way', async () => {
    const tab = world.openTab();
    const { store } = tab.outboxStore;
    store.subscribe(({ entries }) => {
      for (const { clientId, state } of entries)
        if (state === 'sending') tab.actions.discard(clientId);
    });
    tab.actions.sendFirstMessage('Bob', 'hello');
    await eventually(() => expect(world.creations).toBe(1));
    expect(store.getState().entries).toEqual([]);
  });

  it('reports failed first messages as drafts, and assigns a new id only to changed content', async () => {
    world.reactions = ['response lost', 'response lost'];
    const tab = world.openTab();
    tab.actions.sendFirstMessage('Bob', 'hello');
    await eventually(() => expect(tab.refused).toEqual(['hello offline']));
    expect(states(tab)).toEqual([['hello', 'draft']]);
    tab.actions.sendFirstMessage('Bob', 'hello');
    await eventually(() => expect(tab.refused).toHaveLength(2));
    tab.close();
    const after = world.openTab();
    await eventually(() => expect(states(after)).toEqual([['hello', 'draft']]));
    after.actions.sendFirstMessage('Bob', 'hello');
    await untilEmpty(after);
    world.reactions = ['response lost'];
    after.actions.sendFirstMessage('Bob', 'again');
    await eventually(() => expect(after.refused).toHaveLength(1));
    after.actions.sendFirstMessage('Bob', 'again, changed');
    await untilEmpty(after);
    expect(world.contents()).toEqual(['hello', 'again', 'again, changed']);
    const [one, two, three, four, five] = world.receivedIds;
    expect([two, three]).toEqual([one, one]);
    expect(new Set([one, four, five]).size).toBe(3);
  });

  it('keeps first messages while offline, even after a reload, until they are canceled', async () => {
    world.hasConnection = false;
    world.reactions = ['cut', 'cut', 'cut'];
    const before = world.openTab();
    before.actions.sendFirstMessage('Bob', 'hello');
    await eventually(() => expect(world.receivedContents).toHaveLength(1));
    await eventually(() => expect(states(before)).toEqual([['hello', 'waiting']]));
    before.actions.cancelFirstMessage(entriesOf(before)[0]?.clientId ?? '');
    expect(states(before)).toEqual([['hello', 'draft']]);
    before.actions.sendFirstMessage('Bob', 'hello');
    await eventually(() => expect(world.receivedContents).toHaveLength(2));
    before.close();
    const after = await world.reopen();
    await untilEmpty(after);
    expect(created(after)).toBe('room of Bob');
    expect(new Set(world.receivedIds).size).toBe(1);
    expect([...before.refused, ...after.refused]).toEqual([]);
  });

  it.each([
    { status: 404, code: 'user_not_found' },
    { status: 403, code: 'not_accepting_messages' },
    { status: 403, code: 'partner_blocked' },
  ])(
    'turns a first message refused with $code into a draft even while offline',
    async (refusal) => {
      world.hasConnection = false;
      world.reactions = [refusal];
      const tab = world.openTab();
      tab.actions.sendFirstMessage('Zoe', 'hello');
      await eventually(() => expect(tab.refused).toEqual([`hello ${refusal.code}`]));
      expect(states(tab)).toEqual([['hello', 'draft']]);
    },
  );

  it('accepts a live event as confirmation of a first message', async () => {
    world.unconfirmed = Infinity;
    const tab = world.openTab();
    tab.actions.sendFirstMessage('Bob', 'hello');
    tab.outboxStore.store.getState().confirm(entriesOf(tab)[0]?.clientId ?? '', 'room');
    expect(created(tab)).toBe('room');
    await eventually(async () => expect(await world.storedRecords()).toEqual([]));
  });
});

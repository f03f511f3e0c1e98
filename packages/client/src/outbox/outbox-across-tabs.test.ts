import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createOutboxWorld,
  choose,
  entriesOf,
  states,
  eventually,
  untilEmpty,
  type OutboxWorld,
} from '../../test/outbox-world.ts';
import type { ClientStorage } from '../client-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import { createOutboxStore } from './outbox-store.ts';

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => world.close());

describe('the outbox across reloads, sessions and tabs', () => {
  it('keeps refused messages after a reload until they are retried or discarded', async () => {
    const no = { status: 403, code: 'partner_deleted' };
    world.reactions = [no, no];
    const before = world.openTab();
    for (const text of ['a1', 'a2', 'a3']) before.actions.send('a', text);
    await eventually(() =>
      expect(states(before)).toEqual([
        ['a1', 'failed'],
        ['a2', 'failed'],
      ]),
    );
    expect(before.refused).toEqual(['a1 partner_deleted', 'a2 partner_deleted']);
    before.close();

    const after = world.openTab();
    await eventually(() =>
      expect(states(after)).toEqual([
        ['a1', 'failed'],
        ['a2', 'failed'],
      ]),
    );
    const [first, second] = entriesOf(after);
    after.actions.retry(first?.clientId ?? '');
    after.actions.discard(second?.clientId ?? '');
    await untilEmpty(after);
    expect(world.contents()).toEqual(['a3', 'a1']);
    await eventually(async () => expect(await world.storedRecords()).toEqual([]));
  });

  it('sends nothing until the current user is confirmed', async () => {
    world.unconfirmed = 2;
    const tab = world.openTab();
    tab.actions.send('a', 'a1');
    await eventually(() => expect(world.unconfirmed).toBe(1));
    expect(states(tab)).toEqual([['a1', 'waiting']]);
    await untilEmpty(tab);
    expect(world.unconfirmed).toBeLessThan(0);
    expect(world.receivedContents).toEqual(['a1']);
  });

  it('keeps messages until the next login after the session ends', async () => {
    world.reactions = [{ status: 401, code: 'unauthenticated' }];
    const before = world.openTab();
    before.actions.send('a', 'a1');
    await eventually(() => expect(world.receivedContents).toEqual(['a1']));
    await eventually(() => expect(states(before)).toEqual([['a1', 'waiting']]));
    expect(before.refused).toEqual([]);
    before.close();
    await untilEmpty(await world.reopen());
    expect(world.contents()).toEqual(['a1']);
  });

  it('stores a message only once if a reload interrupts sending it', async () => {
    world.unconfirmed = Infinity;
    const before = world.openTab();
    for (const text of ['a1', 'a2', 'a3']) before.actions.send('a', text);
    before.close();
    world.unconfirmed = 0;
    world.reactions = ['response lost'];
    const second = world.openTab();
    await eventually(() => expect(world.receivedContents).toEqual(['a1']));
    second.close();
    await untilEmpty(await world.reopen());
    expect(world.contents()).toEqual(['a1', 'a2', 'a3']);
  });

  it('sends the messages of two tabs once each', async () => {
    const [one, other] = [world.openTab(), world.openTab()];
    for (const text of ['1', '2', '3']) {
      one.actions.send('a', `one ${text}`);
      other.actions.send('a', `other ${text}`);
    }
    await Promise.all([untilEmpty(one), untilEmpty(other)]);
    expect(world.contents().filter((text) => text.startsWith('one'))).toEqual([
      'one 1',
      'one 2',
      'one 3',
    ]);
    expect(world.contents().filter((text) => text.startsWith('other'))).toHaveLength(3);
    expect(world.receivedContents).toHaveLength(6);
    expect(await world.storedRecords()).toEqual([]);
  });

  it('sends messages of another tab from the tab that holds the lock', async () => {
    world.unconfirmed = Infinity;
    const one = world.openTab();
    const other = world.openTab();
    other.actions.send('a', 'from the other');
    await eventually(() => expect(states(one)).toEqual([['from the other', 'waiting']]));
    other.close();
    world.unconfirmed = 0;
    one.flush();
    await untilEmpty(one);
    expect(world.contents()).toEqual(['from the other']);
  });

  it('does not touch the messages of another user', async () => {
    world.unconfirmed = Infinity;
    world.openTab().actions.send('a', 'of ada');
    await eventually(async () => expect(await world.storedRecords()).toHaveLength(1));
    const flush = vi.fn<() => void>();
    const bob = createOutboxStore({
      platform: world.platform,
      username: 'bob',
      opened: Promise.resolve(world.area.open()),
      signal: new AbortController().signal,
      onRead: flush,
      onSettledElsewhere: () => undefined,
    });
    await bob.loaded;
    expect(bob.store.getState().entries).toEqual([]);
    await bob.erase();
    expect(await world.storedRecords()).toHaveLength(1);
  });
});

describe('the outbox storage', () => {
  it('puts stored entries before entries written while the storage opened', async () => {
    world.unconfirmed = Infinity;
    const before = world.openTab();
    for (const text of ['1', '2']) before.actions.send('a', text);
    before.close();
    const opening = Promise.withResolvers<ClientStorage>();
    const tab = world.openTab(opening.promise);
    tab.actions.send('a', '3');
    expect(states(tab)).toEqual([['3', 'waiting']]);
    opening.resolve(world.area.open());
    await eventually(() => expect(states(tab).map(([text]) => text)).toEqual(['1', '2', '3']));
    world.unconfirmed = 0;
    tab.flush();
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['1', '2', '3']);
  });

  it.each<[string, () => OpenedStorage]>([
    ['is missing', async () => undefined],
    ['never opens', () => new Promise(() => undefined)],
    ['rejects every call', async () => brokenStorage(() => Promise.reject(new Error('broken')))],
    ['never responds', async () => brokenStorage(() => new Promise(() => undefined))],
  ])('does not block sending if it %s', async (_what, opened) => {
    const tab = world.openTab(opened());
    for (const text of ['1', '2']) tab.actions.send('a', text);
    choose(tab, 'a.png');
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(world.contents().toSorted()).toEqual(['/media/png/a.png', '1', '2']);
  });

  it('is empty after an erasure, which also revokes the preview URLs', async () => {
    world.unconfirmed = Infinity;
    const tab = world.openTab();
    tab.actions.send('a', '1');
    choose(tab, 'a.png');
    await eventually(async () => expect(await world.storedRecords()).toHaveLength(2));
    await tab.outboxStore.erase();
    expect(await world.storedRecords()).toEqual([]);
    expect(world.shownPreviews).toEqual(new Set());
  });
});

/** Creates storage that opens and then handles every call with `call`. */
function brokenStorage(call: () => Promise<never>): ClientStorage {
  return {
    getAll: call,
    get: call,
    put: call,
    update: call,
    delete: call,
    clear: call,
    erase: call,
    onChange: () => () => undefined,
    close: () => undefined,
  };
}

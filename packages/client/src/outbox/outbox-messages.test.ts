import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdTimers } from '../../test/hold-timers.ts';
import {
  createOutboxWorld,
  choose,
  entriesOf,
  states,
  eventually,
  untilEmpty,
  type OutboxWorld,
} from '../../test/outbox-world.ts';
import { DEFAULT_TIMING } from '../timing.ts';

/** How long nothing may happen. */
const UNEXPECTED_MS = 500;

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => {
  vi.restoreAllMocks();
  world.close();
});

describe('the outbox with messages', () => {
  it('sends each message once, in order per chatroom', async () => {
    const tab = world.openTab();
    for (const text of ['a1', 'a2', 'a3']) tab.actions.send('a', text);
    tab.actions.send('b', 'b1');
    tab.flush();
    await untilEmpty(tab);
    expect(world.contents().filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(world.receivedContents.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(tab.sent).toBe(4);
    expect(await world.storedRecords()).toEqual([]);
  });

  it('retries messages in order while offline, even if only the response was lost', async () => {
    world.reactions = ['response lost'];
    const tab = world.openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await eventually(() => expect(world.receivedContents).toContain('a1'));
    tab.flush();
    await untilEmpty(tab);
    expect(tab.refused).toEqual([]);
    expect(world.contents()).toEqual(['a1', 'a2']);
    expect(world.receivedContents).toEqual(['a1', 'a1', 'a2']);
  });

  it('changes the chat by a sent message only if its live event does not come', async () => {
    const tab = world.openTab();
    const endWaits = holdTimers(DEFAULT_TIMING.eventWait);
    tab.stores.connection.setState({ status: 'online' });
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(tab.chatChanges).toEqual([]);
    endWaits();
    expect(tab.chatChanges).toEqual(['a1']);
    tab.stores.connection.setState({ status: 'connecting' });
    tab.actions.send('a', 'a2');
    await untilEmpty(tab);
    expect(tab.chatChanges).toEqual(['a1', 'a2']);
  });

  it('asks the browser once not to evict unsent messages', async () => {
    const persistStorage = vi.fn<() => void>();
    world.platform = { ...world.platform, persistStorage };
    const tab = world.openTab();
    expect(persistStorage).not.toHaveBeenCalled();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    expect(persistStorage).toHaveBeenCalledOnce();
    await untilEmpty(tab);
  });

  it.each([
    { status: 400, code: 'invalid_request' },
    { status: 404, code: 'message_not_found' },
    { status: 403, code: 'partner_blocked' },
  ])('keeps messages that a server of another version refuses by $code', async (refusal) => {
    world.isVersionSupported = false;
    world.reactions = [refusal, refusal];
    const tab = world.openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await eventually(() => expect(world.receivedContents).toEqual(['a1', 'a1']));
    await eventually(() =>
      expect(states(tab)).toEqual([
        ['a1', 'waiting'],
        ['a2', 'waiting'],
      ]),
    );
    tab.close();
    world.isVersionSupported = true;
    const reopened = await world.reopen();
    reopened.flush();
    await untilEmpty(reopened);
    expect(world.contents()).toEqual(['a1', 'a2']);
    expect([...tab.refused, ...reopened.refused]).toEqual([]);
  });

  it('treats messages that arrived and were then deleted as sent', async () => {
    world.reactions = ['response lost', { status: 404, code: 'message_not_found' }];
    const tab = world.openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await untilEmpty(tab);
    expect(tab.refused).toEqual([]);
    expect(world.receivedContents).toEqual(['a1', 'a1', 'a2']);
  });

  it('retries messages automatically, but not before the server allows it', async () => {
    world.reactions = [
      'cut',
      { status: 503, code: 'unavailable' },
      { status: 429, code: 'rate_limited', retryAfter: '3' },
    ];
    const tab = world.openTab();
    tab.actions.send('a', 'a1');
    await eventually(() => expect(world.receivedContents).toHaveLength(3));
    const at = Date.now();
    await untilEmpty(tab);
    expect(Date.now() - at).toBeGreaterThan(2_500);
    expect(world.receivedContents).toEqual(['a1', 'a1', 'a1', 'a1']);
  });

  it('does not retry continuously if the server requests a wait of months', async () => {
    world.reactions = [{ status: 429, code: 'rate_limited', retryAfter: '9999999' }];
    const tab = world.openTab();
    tab.actions.send('a', 'a1');
    await eventually(() => expect(world.receivedContents).toEqual(['a1']));
    await new Promise((resolve) => setTimeout(resolve, UNEXPECTED_MS));
    expect(world.receivedContents).toEqual(['a1']);
    expect(states(tab)).toEqual([['a1', 'waiting']]);
  });

  it.each(['', '{"ok":true}', '<p>Please log in</p>'])(
    'sends a message again after a response that is not from the server: %s',
    async (foreign) => {
      world.reactions = [200, 404, 511, 500, 500, 500].map((status) => {
        return { status, code: '', body: foreign };
      });
      const tab = world.openTab();
      tab.actions.send('room', 'hello');
      for (let i = 1; i <= 7; i += 1) {
        await eventually(() => expect(world.receivedContents).toHaveLength(i));
        tab.flush();
      }
      await eventually(() => expect(tab.outboxStore.store.getState().entries).toEqual([]));
      expect(world.contents()).toEqual(['hello']);
      expect([tab.refused, tab.sent]).toEqual([[], 1]);
    },
  );

  it('retries the messages of other chatrooms while one waits for the limit of requests', async () => {
    world.limited = 'a1';
    const tab = world.openTab();
    tab.actions.send('a', 'a1');
    await eventually(() => expect(entriesOf(tab)[0]).toMatchObject({ waitReason: 'limit' }));
    world.reactions = ['cut', { status: 503, code: 'unavailable' }];
    tab.actions.send('b', 'b1');
    await eventually(() => expect(world.contents()).toEqual(['b1']));
    await eventually(() => expect(states(tab)).toEqual([['a1', 'waiting']]));
    expect(world.receivedContents.filter((content) => content === 'a1')).toHaveLength(2);
    world.limited = undefined;
    tab.flush();
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['b1', 'a1']);
  });

  it('discards everything unsent to a partner whom the user has blocked elsewhere', async () => {
    world.reactions = [{ status: 403, code: 'partner_blocked' }];
    const tab = world.openTab();
    choose(tab, 'draft.png');
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    tab.actions.send('b', 'b1');
    await untilEmpty(tab);
    expect(world.receivedContents.toSorted()).toEqual(['a1', 'b1']);
    expect(tab.refused).toEqual(['a is fetched again']);
    expect(await world.storedRecords()).toEqual([]);
    expect(world.shownPreviews.size).toBe(0);
  });

  it('treats a message as refused after three internal server errors and continues with the next', async () => {
    world.reactions = Array.from({ length: 3 }, () => ({ status: 500, code: 'internal' }));
    const tab = world.openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await eventually(() => expect(states(tab)).toEqual([['a1', 'failed']]));
    expect(world.receivedContents).toEqual(['a1', 'a1', 'a1', 'a2']);
    expect(tab.refused).toEqual(['a1 internal']);
  });
});

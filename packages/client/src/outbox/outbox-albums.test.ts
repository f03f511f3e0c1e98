import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOutboxWorld,
  choose,
  discardFile,
  entriesOf,
  states,
  eventually,
  untilEmpty,
  type OutboxTab,
  type OutboxWorld,
} from '../../test/outbox-world.ts';
import { ApiError } from '../api/client.ts';
import { selectDraft } from './drafts.ts';

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => world.close());

const draftOf = (tab: OutboxTab) => selectDraft(tab.stores.drafts.getState(), 'a').text;

describe('an album in the outbox', () => {
  it('sends images and their caption in a row, even if a text is written meanwhile', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png');
    world.onUpload = async (fileName) => {
      if (fileName === 'a.png') return;
      tab.actions.send('a', 'by the way');
      await eventually(() => expect(world.contents()).toEqual(['by the way']));
    };
    tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
    await untilEmpty(tab);
    const images = ['/media/png/a.png', '/media/png/b.png'];
    expect(world.contents()).toEqual(['by the way', ...images, 'at the lake']);
    const [none, id, ...ids] = world.albums;
    expect(none).toBeUndefined();
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(ids).toEqual([id, id]);
  });

  it('has no id if there is a single image without a caption', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png');
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(world.albums).toEqual([undefined]);
  });

  it('is sent in a row after a reload during its uploads', async () => {
    const tab = world.openTab();
    await tab.outboxStore.loaded;
    choose(tab, 'a.png', 'b.png');
    const { promise: never } = Promise.withResolvers<void>();
    world.onUpload = (fileName) => (fileName === 'b.png' ? never : undefined);
    tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
    await eventually(() => expect(world.uploads).toEqual(['a.png', 'b.png']));
    expect(world.contents()).toEqual([]);
    await eventually(async () => expect(await world.storedRecords()).toHaveLength(3));
    tab.close();
    world.onUpload = () => undefined;
    const reopened = await world.reopen();
    reopened.flush();
    await untilEmpty(reopened);
    expect(world.contents()).toEqual(['/media/png/a.png', '/media/png/b.png', 'at the lake']);
    expect(new Set(world.albums).size).toBe(1);
  });

  it('returns its caption if an image is refused, and can be sent again', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png', 'c.png');
    world.onUpload = (fileName) => {
      if (fileName === 'b.png') throw new ApiError('too_large', 413, 'no');
    };
    tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
    await eventually(() => expect(world.contents()).toEqual(['/media/png/a.png']));
    expect(tab.refused).toEqual(['b.png too_large']);
    expect(draftOf(tab)).toBe('at the lake');
    discardFile(tab, 'b.png');
    await eventually(() => expect(states(tab)).toEqual([['c.png', 'draft']]));
    tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['/media/png/a.png', '/media/png/c.png', 'at the lake']);
    expect(world.albums[0]).not.toBe(world.albums[1]);
    expect(world.albums[1]).toBe(world.albums[2]);
  });

  it('is a single one in order if two tabs send it at the same time', async () => {
    world.unconfirmed = Infinity;
    const storage = world.area.open();
    const slow = Promise.withResolvers<void>();
    const one = world.openTab(Promise.resolve(storage));
    const other = await world.reopen();
    choose(one, 'a.png', 'b.png', 'c.png');
    await eventually(() => expect(states(other)).toHaveLength(3));
    const { update } = storage;
    const second = entriesOf(one)[1]?.clientId;
    storage.update = async (...change) => {
      if (change[1] === second) await slow.promise;
      await update(...change);
    };
    one.actions.sendMedia('image', 'a');
    other.actions.sendMedia('image', 'a');
    await eventually(async () => {
      const stored = (await world.storedRecords()).map(({ value }) => JSON.stringify(value));
      expect(stored.every((value) => value.includes('"waiting"'))).toBe(true);
    });
    slow.resolve();
    world.unconfirmed = 0;
    one.flush();
    await Promise.all([untilEmpty(one), untilEmpty(other)]);
    expect(world.contents()).toEqual(['a', 'b', 'c'].map((name) => `/media/png/${name}.png`));
    expect(new Set(world.albums).size).toBe(1);
  });

  it('returns the captions of all albums that are stopped by a refusal', async () => {
    const tab = world.openTab();
    world.onUpload = (fileName) => {
      if (fileName === 'a.png') {
        choose(tab, 'b.png');
        tab.actions.sendMedia('image', 'a', undefined, 'second');
      }
      throw new ApiError('too_large', 413, 'no');
    };
    choose(tab, 'a.png');
    tab.actions.sendMedia('image', 'a', undefined, 'first');
    await eventually(() => expect(draftOf(tab)).toBe('first\nsecond'));
    expect(states(tab)).toEqual([
      ['a.png', 'draft'],
      ['b.png', 'draft'],
    ]);
    expect(world.contents()).toEqual([]);
  });

  it('returns its caption if all images are discarded, and sends it with those that remain', async () => {
    world.hasConnection = false;
    world.onUpload = () => {
      throw new ApiError('offline', 0, 'no response');
    };
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png');
    tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
    await eventually(() => expect(world.uploads).toHaveLength(1));
    discardFile(tab, 'a.png');
    expect(draftOf(tab)).toBe('');
    discardFile(tab, 'b.png');
    expect(draftOf(tab)).toBe('at the lake');
    expect(states(tab)).toEqual([]);

    choose(tab, 'c.png', 'd.png');
    tab.actions.sendMedia('image', 'a', undefined, 'in the woods');
    discardFile(tab, 'c.png');
    world.onUpload = () => undefined;
    tab.flush();
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['/media/png/d.png', 'in the woods']);
  });
});

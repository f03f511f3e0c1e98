import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOutboxWorld,
  choose,
  entriesOf,
  states,
  eventually,
  untilEmpty,
  type OutboxWorld,
} from '../../test/outbox-world.ts';
import { ApiError } from '../api/client.ts';
import type { StorageRecord } from '../client-storage.ts';
import type { OutboxEntry } from './outbox-entry.ts';

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => world.close());

describe('files in the outbox, after a reload and after the server lost them', () => {
  it('keeps the size of an image until its message is confirmed', async () => {
    const before = world.openTab();
    choose(before, 'a.png');
    before.actions.setImageSize(entriesOf(before)[0]?.clientId ?? '', { width: 30, height: 20 });
    before.actions.setImageSize('unknown', { width: 1, height: 1 });
    await before.outboxStore.loaded;
    before.close();

    const after = await world.reopen();
    expect(entriesOf(after)).toMatchObject([{ media: { width: 30, height: 20 }, state: 'draft' }]);
    const seen: OutboxEntry[] = [];
    after.outboxStore.store.subscribe(({ entries }) => seen.push(...entries));
    after.actions.sendMedia('image', 'a');
    await untilEmpty(after);
    expect(seen.some(({ uploadedFile }) => uploadedFile?.name === 'a.png')).toBe(true);
    expect(seen.filter(({ media }) => media?.width !== 30)).toEqual([]);
  });

  it('restores chosen, waiting and uploading files after a reload', async () => {
    const before = world.openTab();
    choose(before, 'a.png', 'b.png');
    world.onUpload = () => new Promise(() => undefined);
    before.actions.sendMedia('image', 'a');
    const media = { duration: 1_000, peaks: [1, 2] };
    before.actions.addMedia('audio', 'a', new Blob(['webm']), 'recording.webm', media);
    await eventually(() => expect(world.uploads).toEqual(['a.png']));
    before.close();
    expect(world.shownPreviews).toEqual(new Set());

    world.onUpload = () => undefined;
    world.unconfirmed = Infinity;
    const after = world.openTab();
    await eventually(() =>
      expect(states(after)).toEqual([
        ['a.png', 'waiting'],
        ['b.png', 'waiting'],
        ['recording.webm', 'draft'],
      ]),
    );
    expect(entriesOf(after)[2]).toMatchObject({ media, file: { kind: 'audio' } });
    expect(world.shownPreviews.size).toBe(3);
    world.unconfirmed = 0;
    after.flush();
    after.actions.sendMedia('audio', 'a');
    await untilEmpty(after);
    expect(world.contents().filter((url) => url.endsWith('png'))).toEqual([
      '/media/png/a.png',
      '/media/png/b.png',
    ]);
    expect(world.contents()).toContain('/media/webm/recording.webm');
    expect(world.shownPreviews.size).toBe(0);
  });

  it('does not upload a file again after a reload', async () => {
    world.reactions = ['response lost', 'cut', 'cut'];
    const before = world.openTab();
    choose(before, 'a.png');
    before.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.receivedContents).toHaveLength(1));
    await eventually(async () =>
      expect(await world.storedRecords()).toMatchObject([
        { value: { data: { content: '/media/png/a.png' } } },
      ]),
    );
    before.close();
    await untilEmpty(await world.reopen());
    expect(world.uploads).toEqual(['a.png']);
    expect(world.contents()).toEqual(['/media/png/a.png']);
    expect(world.receivedKinds).toEqual(Array.from(world.receivedContents, () => 'image'));
    expect(await world.storedRecords()).toEqual([]);
    expect(world.shownPreviews.size).toBe(0);
  });

  it('sends an upload by its id, and by its URL if an earlier version stored no id', async () => {
    world.reactions = ['cut'];
    const before = world.openTab();
    choose(before, 'a.png');
    before.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.receivedContents).toHaveLength(1));
    await eventually(async () =>
      expect(await world.storedRecords()).toMatchObject([
        { value: { data: { uploadId: 'id of png/a.png', state: 'waiting' } } },
      ]),
    );
    before.close();
    const storage = world.area.open();
    const [{ key, value, file }] = (await storage.getAll('outbox')) as [StorageRecord];
    const withoutId = JSON.stringify(value).replace(/,?"uploadId":"[^"]*"/, '');
    await storage.put('outbox', key, { value: JSON.parse(withoutId), file });
    storage.close();
    await untilEmpty(await world.reopen());
    expect(world.receivedBodies).toEqual([
      { content: undefined, uploadId: 'id of png/a.png' },
      { content: '/media/png/a.png', uploadId: undefined },
    ]);
    expect(world.uploads).toEqual(['a.png']);
  });

  it('uploads a file again if the server deleted it before the message was sent', async () => {
    world.reactions = ['cut'];
    const before = world.openTab();
    choose(before, 'a.png');
    before.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.receivedContents).toHaveLength(1));
    await eventually(async () =>
      expect(await world.storedRecords()).toMatchObject([
        { value: { data: { content: '/media/png/a.png', state: 'waiting' } } },
      ]),
    );
    before.close();

    world.reactions = [{ status: 404, code: 'media_not_found' }];
    const after = await world.reopen();
    await untilEmpty(after);
    expect(world.uploads).toEqual(['a.png', 'a.png']);
    expect(world.contents()).toEqual(['/media/png/a.png']);
    expect(new Set(world.receivedIds).size).toBe(1);
    expect(after.refused).toEqual([]);
    expect(await world.storedRecords()).toEqual([]);
    expect(world.shownPreviews.size).toBe(0);
  });

  it('does not send a file that is discarded while it is uploaded again', async () => {
    world.reactions = [{ status: 404, code: 'media_not_found' }];
    const tab = world.openTab();
    choose(tab, 'a.png');
    world.onUpload = () => {
      const [entry] = entriesOf(tab);
      if (world.uploads.length === 2) tab.actions.discard(entry?.clientId ?? '');
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.uploads).toHaveLength(2));
    await untilEmpty(tab);
    tab.actions.send('a', 'later');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['later']);
  });

  it('uploads a file a third time, but refuses one that the server loses every time', async () => {
    const lost = { status: 404, code: 'media_not_found' };
    world.reactions = [lost, lost];
    const tab = world.openTab();
    choose(tab, 'a.png');
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['/media/png/a.png']);
    expect(tab.refused).toEqual([]);

    world.reactions = Array.from({ length: 20 }, () => lost);
    choose(tab, 'b.png');
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(tab.refused).toEqual(['/media/png/b.png internal']));
    expect(states(tab)).toEqual([['/media/png/b.png', 'failed']]);
    expect(world.uploads.filter((name) => name === 'b.png')).toHaveLength(4);
  });

  it('retries a file whose second upload fails, in order', async () => {
    world.reactions = [
      { status: 404, code: 'media_not_found' },
      { status: 404, code: 'media_not_found' },
    ];
    const tab = world.openTab();
    choose(tab, 'a.png');
    world.onUpload = () => {
      if (world.uploads.length === 2) throw new ApiError('offline', 0, 'no response');
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.uploads).toHaveLength(2));
    tab.actions.send('a', 'later');
    await untilEmpty(tab);
    expect(world.uploads).toHaveLength(3);
    expect(world.contents()).toEqual(['/media/png/a.png', 'later']);
  });
});

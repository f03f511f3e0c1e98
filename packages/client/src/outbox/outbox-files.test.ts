import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
import { DELETED_USER } from '@parley/contract';
import { ApiError } from '../api/client.ts';
import type { LoadedChatroom } from '../stores/loaded-chatroom.ts';

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => world.close());

/** Loads the chatroom after the partner has deleted the account. */
function loadDeletedPartner(tab: OutboxTab): void {
  const room: LoadedChatroom = {
    id: 'a',
    memberRev: 0,
    status: 'accepted',
    partnerName: DELETED_USER,
    currentUsername: 'ada',
    messages: [],
    hasMore: false,
    rev: 1,
    readSeq: 0,
    unread: 0,
    deletedRevs: new Map(),
    changedElsewhere: new Map(),
    loadedRev: 0,
  };
  tab.stores.rooms.getState().setEntry('a', { status: 'ready', room, isLoadingOlder: false });
}

describe('the outbox with files', () => {
  it('uploads files one at a time in order, and keeps files chosen later as drafts', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png');
    world.onUpload = (fileName) => {
      if (fileName === 'a.png') choose(tab, 'later.png');
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(states(tab)).toEqual([['later.png', 'draft']]));
    expect(world.contents()).toEqual(['/media/png/a.png', '/media/png/b.png']);
    expect(world.shownPreviews.size).toBe(1);
    discardFile(tab, 'later.png');
    expect(world.shownPreviews.size).toBe(0);
    await eventually(async () => expect(await world.storedRecords()).toEqual([]));
  });

  it.each(['too_large', 'proxy_too_large', 'media_too_complex'] as const)(
    'takes a smaller copy for an image that is refused with %s, in its place',
    async (code) => {
      const before = world.openTab();
      await before.outboxStore.loaded;
      choose(before, 'a.png', 'b.png', 'c.png');
      world.onUpload = (fileName) => {
        if (fileName === 'b.png') throw new ApiError(code, 413, 'no');
      };
      before.actions.sendMedia('image', 'a', { messageId: 'm', seq: 1 });
      await eventually(() => expect(world.contents()).toEqual(['/media/png/a.png']));
      const marked = (tab: OutboxTab) =>
        entriesOf(tab).map(({ file, isTooLarge }) => [file?.name, isTooLarge]);
      const expected = [
        ['b.png', true],
        ['c.png', undefined],
      ];
      // The first image leaves the outbox once the server has responded.
      await eventually(() => expect(marked(before)).toEqual(expected));
      before.close();
      const tab = await world.reopen();
      expect(marked(tab)).toEqual(expected);
      const [{ clientId } = { clientId: '' }] = entriesOf(tab);
      expect(tab.actions.replaceImage(clientId, new File(['jpeg'], 'b.jpg'))).toBe(true);
      expect(marked(tab)[0]).toEqual(['b.jpg', undefined]);
      expect(world.shownPreviews.size).toBe(2);
      tab.actions.sendDraft('a');
      expect(tab.actions.replaceImage(clientId, new File([''], 'late.jpg'))).toBe(false);
      await untilEmpty(tab);
      expect(world.contents().slice(1)).toEqual(['/media/jpeg/b.jpg', '/media/png/c.png']);
      await eventually(async () => expect(await world.storedRecords()).toEqual([]));
    },
  );

  it('does not take a smaller copy for an image of which that would not help', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png');
    world.onUpload = () => {
      throw new ApiError('unsupported_media', 415, 'no');
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(tab.refused).toHaveLength(1));
    expect(entriesOf(tab)[0]?.isTooLarge).toBeUndefined();
  });

  it('sends text before files that are being uploaded, and later files after them', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png');
    world.onUpload = async (fileName) => {
      if (fileName !== 'a.png') return;
      choose(tab, 'b.png');
      tab.actions.sendMedia('image', 'a');
      tab.actions.send('a', 'look at these');
      expect(tab.outboxStore.store.getState().progress).toEqual({
        [entriesOf(tab)[0]?.clientId ?? '']: 0.5,
      });
      await eventually(() => expect(world.contents()).toEqual(['look at these']));
    };
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['look at these', '/media/png/a.png', '/media/png/b.png']);
    expect(world.uploads).toEqual(['a.png', 'b.png']);
    expect(tab.outboxStore.store.getState().progress).toEqual({});
  });

  it('keeps a failed file and those after it as drafts, which can be sent again', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png', 'c.png');
    world.onUpload = (fileName) => {
      if (fileName === 'b.png') throw new ApiError('too_large', 413, 'no');
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(tab.refused).toEqual(['b.png too_large']));
    // The first file may still be in the outbox.
    expect(states(tab)).toEqual(
      expect.arrayContaining([
        ['b.png', 'draft'],
        ['c.png', 'draft'],
      ]),
    );
    world.onUpload = () => undefined;
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['a', 'b', 'c'].map((name) => `/media/png/${name}.png`));
  });

  it('reports a failed upload immediately while online, and retries it while offline', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png');
    world.onUpload = () => {
      throw new ApiError('offline', 0, 'no response');
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(tab.refused).toEqual(['a.png offline']));
    expect(states(tab)).toEqual([['a.png', 'draft']]);
    world.hasConnection = false;
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.uploads).toHaveLength(2));
    await eventually(() => expect(states(tab)).toEqual([['a.png', 'waiting']]));
    world.onUpload = () => undefined;
    tab.flush();
    await untilEmpty(tab);
    expect(tab.refused).toHaveLength(1);
    expect(world.contents()).toEqual(['/media/png/a.png']);
  });

  it('does not send files that are discarded during the upload, but sends the others', async () => {
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png');
    world.onUpload = (fileName) => {
      if (fileName === 'a.png') discardFile(tab, 'a.png');
    };
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['/media/png/b.png']);
    expect(tab.refused).toEqual([]);
  });

  it("discards files if the partner's account is deleted in the meantime", async () => {
    const tab = world.openTab();
    choose(tab, 'a.png', 'b.png', 'c.png');
    world.onUpload = (fileName) => {
      if (fileName === 'b.png') loadDeletedPartner(tab);
    };
    tab.actions.sendMedia('image', 'a');
    await eventually(() => expect(tab.refused).toEqual(['b.png partner_deleted']));
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['/media/png/a.png']);
    expect(world.uploads).toEqual(['a.png', 'b.png']);
  });

  it('uploads and sends files of two tabs once, and removes them in both', async () => {
    const one = world.openTab();
    choose(one, 'a.png', 'b.png', 'c.png');
    const other = world.openTab();
    await eventually(() => expect(states(other)).toHaveLength(3));
    discardFile(other, 'c.png');
    await eventually(() => expect(states(one)).toHaveLength(2));
    one.actions.sendMedia('image', 'a');
    other.actions.sendMedia('image', 'a');
    await Promise.all([untilEmpty(one), untilEmpty(other)]);
    expect(world.uploads).toEqual(['a.png', 'b.png']);
    expect(world.contents()).toEqual(['/media/png/a.png', '/media/png/b.png']);
    expect(world.shownPreviews.size).toBe(0);
  });

  it('aborts an upload when another tab discards the file', async () => {
    const one = world.openTab();
    choose(one, 'a.png');
    const other = world.openTab();
    await eventually(() => expect(states(other)).toHaveLength(1));
    const stopped = vi.fn<() => void>();
    world.onUpload = (_name, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          stopped();
          reject(new DOMException('Cancelled', 'AbortError'));
        });
      });
    one.actions.sendMedia('image', 'a');
    await eventually(() => expect(world.uploads).toEqual(['a.png']));
    discardFile(other, 'a.png');
    await eventually(() => expect(stopped).toHaveBeenCalledOnce());
    await untilEmpty(one);
    expect(world.receivedContents).toEqual([]);
    expect(one.refused).toEqual([]);
  });
});

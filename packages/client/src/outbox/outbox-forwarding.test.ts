import type { Message } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createOutboxWorld,
  entriesOf,
  states,
  eventually,
  untilEmpty,
  type OutboxWorld,
} from '../../test/outbox-world.ts';

let world: OutboxWorld;

beforeEach(async () => {
  world = await createOutboxWorld();
});
afterEach(() => world.close());

describe('the outbox with forwarded messages', () => {
  const message = (change: Partial<Message>): Message => ({
    _id: 'original',
    chatroom: 'x',
    content: 'a text',
    sender: { username: 'bob' },
    createdAt: '2026-03-05T14:05:00.000Z',
    updatedAt: '2026-03-05T14:05:00.000Z',
    seq: 1,
    rev: 1,
    kind: 'text',
    ...change,
  });
  const text = message({});
  const image = message({
    kind: 'image',
    content: '/media/original.png',
    media: { width: 20, height: 10 },
  });
  const gone = { status: 404, code: 'message_not_found' };

  it('forwards a text to several chatrooms, after the earlier messages of each', async () => {
    const tab = world.openTab();
    tab.actions.send('a', 'a1');
    tab.actions.forward(['a', 'b'], [text]);
    tab.actions.send('b', 'b1');
    await untilEmpty(tab);
    expect(world.contents().toSorted()).toEqual(['a text', 'a text', 'a1', 'b1']);
    expect(world.contents().indexOf('a1')).toBeLessThan(world.contents().lastIndexOf('a text'));
    expect(world.contents().indexOf('a text')).toBeLessThan(world.contents().indexOf('b1'));
    expect(world.forwarded).toEqual(['a text', 'a text']);
    expect(world.copied).toEqual([]);
  });

  it('forwards an image in its place, with one copy for each chatroom and no upload', async () => {
    const tab = world.openTab();
    tab.actions.send('a', 'a1');
    tab.actions.forward(['a', 'b'], [image]);
    tab.actions.send('a', 'a2');
    const [, entry] = entriesOf(tab);
    expect(entry).toMatchObject({
      content: '',
      source: { url: image.content },
      media: image.media,
    });
    await untilEmpty(tab);
    expect(world.copied).toEqual(['original', 'original']);
    expect(world.uploads).toEqual([]);
    expect(world.forwarded.toSorted()).toEqual([
      '/media/copy 1 of original',
      '/media/copy 2 of original',
    ]);
    expect(world.receivedKinds.filter(Boolean)).toEqual(['image', 'image']);
    const inOrder = world.contents().filter((content) => content !== '/media/copy 1 of original');
    expect(inOrder.filter((content) => /^a\d/.test(content))).toEqual(['a1', 'a2']);
    expect(new Set(world.receivedIds)).toHaveProperty('size', 4);
  });

  it('sends forwarded messages after a reload', async () => {
    world.unconfirmed = Infinity;
    const before = world.openTab();
    before.actions.forward(['a'], [text]);
    before.actions.forward(['a'], [image]);
    await eventually(async () => expect(await world.storedRecords()).toHaveLength(2));
    before.close();
    world.unconfirmed = 0;
    const after = await world.reopen();
    await untilEmpty(after);
    expect(world.contents()).toEqual(['a text', '/media/copy 1 of original']);
    expect(world.forwarded).toEqual(world.contents());
  });

  const album = [
    message({ _id: 'first', kind: 'image', content: '/media/1.png', albumId: 'old album' }),
    message({ _id: 'second', kind: 'image', content: '/media/2.png', albumId: 'old album' }),
    message({ _id: 'caption', content: 'a caption', albumId: 'old album' }),
  ];

  it('forwards several messages once and in order, also after lost responses and a reload', async () => {
    world.unconfirmed = Infinity;
    const before = world.openTab();
    const single = message({ _id: 'single', content: 'of another album', albumId: 'other album' });
    before.actions.forward(['a'], [text, ...album, single, image]);
    before.actions.send('a', 'a1');
    await eventually(async () => expect(await world.storedRecords()).toHaveLength(7));
    before.close();
    world.unconfirmed = 0;
    world.reactions = ['cut'];
    world.onCopy = () => world.reactions.push('response lost');
    await untilEmpty(await world.reopen());
    expect(world.copied).toEqual(['first', 'second', 'original']);
    expect(world.contents()).toEqual([
      'a text',
      '/media/copy 1 of first',
      '/media/copy 2 of second',
      'a caption',
      'of another album',
      '/media/copy 3 of original',
      'a1',
    ]);
    expect(new Set(world.receivedIds)).toHaveProperty('size', 7);
    const [, albumId] = world.albums;
    expect(albumId).toEqual(expect.any(String));
    expect(albumId).not.toBe('old album');
    const none = undefined;
    expect(world.albums).toEqual([none, albumId, albumId, albumId, none, none, none]);
  });

  it('makes an album of its own in each chatroom', async () => {
    world.unconfirmed = Infinity;
    const tab = world.openTab();
    tab.actions.forward(['a', 'b'], album);
    const entries = entriesOf(tab);
    expect(entries.map(({ to }) => to.chatroomId)).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
    const [first, , , other] = entries.map(({ clientId }) => clientId);
    const albumIds = entries.map(({ albumId }) => albumId);
    expect(albumIds).toEqual([first, first, first, other, other, other]);
  });

  it('sends the rest of several messages if one is refused, which can be sent again', async () => {
    world.copyReactions = [{ status: 403, code: 'quota_media' }];
    const tab = world.openTab();
    tab.actions.forward(['a'], [text, image, message({ _id: 'last', content: 'the last' })]);
    await eventually(() => expect(world.contents()).toEqual(['a text', 'the last']));
    await eventually(() => expect(states(tab)).toEqual([['', 'failed']]));
    tab.actions.retry(entriesOf(tab)[0]?.clientId ?? '');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['a text', 'the last', '/media/copy 1 of original']);
  });

  it('sends a forwarded caption even if the image above it is discarded', async () => {
    world.copyReactions = [gone];
    world.onCopy = () => (world.unconfirmed = Infinity);
    const tab = world.openTab();
    tab.actions.forward(['a'], album.slice(1));
    await eventually(() => expect(states(tab)[0]?.[1]).toBe('failed'));
    tab.actions.discard(entriesOf(tab)[0]?.clientId ?? '');
    expect(states(tab)).toEqual([['a caption', 'waiting']]);
    expect(tab.stores.drafts.getState().drafts).toEqual({});
  });

  it('copies the original only once if the message has to be sent again', async () => {
    world.reactions = ['cut', 'response lost'];
    const tab = world.openTab();
    tab.actions.forward(['a'], [image]);
    await untilEmpty(tab);
    expect(world.copied).toEqual(['original']);
    expect(world.contents()).toEqual(['/media/copy 1 of original']);
    expect(new Set(world.receivedIds)).toHaveProperty('size', 1);
  });

  it('copies the original again if the server has deleted the copy', async () => {
    world.reactions = ['cut', { status: 404, code: 'media_not_found' }];
    const tab = world.openTab();
    tab.actions.forward(['a'], [image]);
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(world.copied).toEqual(['original', 'original']);
    expect(world.contents()).toEqual(['/media/copy 2 of original', 'a1']);
  });

  it('retries a copy until the server can make it', async () => {
    world.copyReactions = [
      'cut',
      { status: 503, code: 'unavailable' },
      { status: 429, code: 'rate_limited', retryAfter: '1' },
    ];
    const tab = world.openTab();
    tab.actions.forward(['a'], [image]);
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['/media/copy 1 of original', 'a1']);
    expect(tab.refused).toEqual([]);
  });

  it.each([gone, { status: 404, code: 'media_not_found' }])(
    'keeps a message whose original was deleted as failed and sends the next ones: $code',
    async (reaction) => {
      world.copyReactions = [reaction];
      const before = world.openTab();
      before.actions.forward(['a'], [image]);
      before.actions.send('a', 'a1');
      await eventually(() => expect(world.contents()).toEqual(['a1']));
      await eventually(() => expect(states(before)).toEqual([['', 'failed']]));
      expect(before.refused).toEqual([` ${reaction.code}`]);
      before.close();
      const after = await world.reopen();
      expect(entriesOf(after)).toMatchObject([{ failReason: 'source_deleted', state: 'failed' }]);
      after.actions.discard(entriesOf(after)[0]?.clientId ?? '');
      expect(entriesOf(after)).toEqual([]);
      await eventually(async () => expect(await world.storedRecords()).toEqual([]));
    },
  );

  it.each([
    { status: 403, code: 'quota_media' },
    { status: 507, code: 'storage_full' },
  ])(
    'keeps a message that the server cannot store as failed, to be sent again later: $code',
    async (reaction) => {
      world.copyReactions = [reaction];
      const tab = world.openTab();
      tab.actions.forward(['a'], [image]);
      tab.actions.send('a', 'a1');
      await eventually(() => expect(world.contents()).toEqual(['a1']));
      expect(tab.refused).toEqual([` ${reaction.code}`]);
      expect(entriesOf(tab)[0]).not.toHaveProperty('failReason');
      tab.actions.retry(entriesOf(tab)[0]?.clientId ?? '');
      await untilEmpty(tab);
      expect(world.contents()).toEqual(['a1', '/media/copy 1 of original']);
    },
  );

  it('sends nothing if the message is discarded while its original is copied', async () => {
    const tab = world.openTab();
    world.onCopy = () => tab.actions.discard(entriesOf(tab)[0]?.clientId ?? '');
    tab.actions.forward(['a'], [image]);
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(world.contents()).toEqual(['a1']);
    expect(world.copied).toEqual(['original']);
  });
});

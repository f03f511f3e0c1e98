import type { CopyMediaBody, CreateChatroomBody, Message, SendBody } from '@parley/contract';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChangeContext } from '../../test/create-change-context.ts';
import { ApiError, createApiClient } from '../api/client.ts';
import type { ClientStorage, StorageRecord } from '../client-storage.ts';
import {
  createHeadlessPlatform,
  createMemoryLocks,
  createMemoryStorage,
} from '../headless-platform.ts';
import type { Platform, UploadMedia } from '../platform.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../storage/memory-storage.ts';
import type { OpenedStorage } from '../storage/open-storage.ts';
import type { OutboxEntry } from './outbox-entry.ts';
import { createOutboxStore, type OutboxStore } from './outbox-store.ts';
import { createOutbox, type Outbox } from './outbox.ts';

/** How long nothing may happen. */
const UNEXPECTED_MS = 500;

/** The reaction to a request that is not accepted, with the body of a response that is not from the server. */
type Reaction =
  | { status: number; code: string; retryAfter?: string; body?: string }
  | 'cut'
  | 'response lost';

/** The reaction to a message to people who have not accepted many earlier ones. */
const REQUEST_LIMIT: Reaction = { status: 429, code: 'rate_limited', retryAfter: '3000' };

/** A tab of the browser. */
interface Tab extends Outbox {
  readonly outboxStore: OutboxStore;
  readonly refused: string[];
  readonly sent: Message[];
  /** Closes the tab, as a reload does. */
  readonly close: () => void;
}

let server: Server;
let origin: string;
/** The reactions to the next requests, in order. Later requests are accepted. */
let reactions: Reaction[];
/** The contents of all requests received by the server, in order. */
let receivedContents: string[];
/** The `clientId` of each request. */
let receivedIds: string[];
/** The messages whose media the server has copied, in order. */
let copied: string[];
/** The reactions to the next copies, in order. Later ones are made. */
let copyReactions: Reaction[];
/** Called before each copy is made. */
let onCopy: () => void;
/** The messages that were received as forwarded. */
let forwarded: string[];
/** The `kind` of each request. */
let receivedKinds: SendBody['kind'][];
let receivedBodies: { content: string | undefined; uploadId: string | undefined }[];
/** The album of each message on the server, in order. */
let albums: (string | undefined)[];
/** The captions that were returned to the user. */
let captions: string[];
/** The contents of the messages on the server, by `clientId`. */
let stored: Map<string, string>;
/** The content of a message that the limit of requests refuses. */
let limited: string | undefined;
let uploads: string[];
/** Called during each upload. */
let onUpload: (fileName: string, signal: AbortSignal | undefined) => void | Promise<void>;
/** Number of upcoming attempts to confirm the user that fail. */
let unconfirmed: number;
/** Number of chatrooms that first messages have created. */
let creations: number;
let hasConnection: boolean;
let isPartnerDeleted: boolean;
let area: MemoryStorageArea;
let platform: Platform;
let shownPreviews: Set<string>;
let tabs: Tab[];

// The long timeout is for slow machines. The tests do not depend on speed.
vi.setConfig({ testTimeout: 60_000 });
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });

/** Ids of uploads are their URLs with another prefix. */
const idOf = (url: string): string => url.replace('/media/', 'id of ');
const urlOf = (id: string): string => id.replace('id of ', '/media/');

const upload: UploadMedia = async (_api, _kind, file, fileName, { onProgress, signal } = {}) => {
  uploads.push(fileName);
  onProgress?.(0.5);
  await onUpload(fileName, signal);
  signal?.throwIfAborted();
  const url = `/media/${await file.text()}/${fileName}`;
  return { id: idOf(url), url };
};

function openTab(opened: OpenedStorage = Promise.resolve(area.open())): Tab {
  const closing = new AbortController();
  const refused: string[] = [];
  const sent: Message[] = [];
  const outboxStore = createOutboxStore({
    platform,
    username: 'ada',
    opened,
    onRead: () => outbox.flush(),
    onSettledElsewhere: () => undefined,
  });
  const api = createApiClient({ origin });
  const outbox = createOutbox({
    api,
    outbox: outboxStore,
    platform,
    signal: closing.signal,
    confirmUser: async () => {
      if (unconfirmed-- > 0) throw new Error('another user may be signed in');
    },
    hasConnection: () => hasConnection,
    isPartnerDeleted: () => isPartnerDeleted,
    onSent: (message) => sent.push(message),
    onCreated: () => (creations += 1),
    onRefused: ({ content, file }, { code }) => refused.push(`${file?.name ?? content} ${code}`),
    onPartnerBlocked: (chatroomId) => refused.push(`${chatroomId} is blocked`),
    onCaptionReturned: (_chatroomId, caption) => captions.push(caption),
    changeContext: createChangeContext(api),
    onChangeFailed: () => undefined,
    onChangeRefused: () => undefined,
  });
  const tab: Tab = {
    ...outbox,
    outboxStore,
    refused,
    sent,
    close: () => {
      closing.abort();
      outboxStore.stop();
      void opened.then((storage) => storage?.close());
    },
  };
  tabs.push(tab);
  return tab;
}

/** Opens a tab and waits until it has read the storage. */
async function reopen(): Promise<Tab> {
  const tab = openTab();
  await tab.outboxStore.loaded;
  return tab;
}

const entriesOf = (tab: Tab): readonly OutboxEntry[] => tab.outboxStore.store.getState().entries;
const states = (tab: Tab) =>
  entriesOf(tab).map(({ content, file, state }) => [file?.name ?? content, state]);
const untilEmpty = (tab: Tab) => until(() => expect(states(tab)).toEqual([]));
const contents = () => [...stored.values()];
const storedRecords = async () => area.open().getAll('outbox');

function choose(tab: Tab, ...names: string[]): void {
  for (const name of names) tab.actions.addMedia('image', 'a', new Blob(['png']), name);
}

function discard(tab: Tab, name: string): void {
  const entry = entriesOf(tab).find(({ file }) => file?.name === name);
  tab.actions.discard(entry?.clientId ?? '');
}

beforeEach(async () => {
  reactions = [];
  receivedContents = [];
  receivedIds = [];
  receivedKinds = [];
  receivedBodies = [];
  copied = [];
  copyReactions = [];
  onCopy = () => undefined;
  forwarded = [];
  albums = [];
  captions = [];
  stored = new Map();
  limited = undefined;
  uploads = [];
  onUpload = () => undefined;
  unconfirmed = 0;
  creations = 0;
  hasConnection = true;
  isPartnerDeleted = false;
  area = createMemoryStorageArea();
  shownPreviews = new Set();
  tabs = [];
  let previews = 0;
  platform = createHeadlessPlatform(undefined, {
    upload,
    locks: createMemoryLocks(),
    storage: createMemoryStorage(),
    createPreviewUrl: () => {
      const url = `blob:${(previews += 1)}`;
      shownPreviews.add(url);
      return url;
    },
    revokePreviewUrl: (url) => shownPreviews.delete(url),
  });
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const isFirst = request.url?.endsWith('/create') === true;
      if (request.url?.endsWith('/media/copy') === true) {
        respondToCopy(response, JSON.parse(body) as CopyMediaBody);
        return;
      }
      const message = JSON.parse(body) as SendBody & CreateChatroomBody;
      const { clientId = '', uploadId } = message;
      const content = uploadId === undefined ? (message.content ?? '') : urlOf(uploadId);
      receivedBodies.push({ content: message.content, uploadId });
      if (message.isForwarded) forwarded.push(content);
      receivedContents.push(content);
      receivedIds.push(clientId);
      receivedKinds.push(message.kind);
      const reaction = content === limited ? REQUEST_LIMIT : reactions.shift();
      if (reaction === 'cut') {
        request.socket.destroy();
        return;
      }
      if (typeof reaction === 'object') {
        refuse(response, reaction);
        return;
      }
      if (!stored.has(clientId)) {
        stored.set(clientId, content);
        albums.push(message.albumId);
      }
      if (reaction === 'response lost') {
        request.socket.destroy();
        return;
      }
      response.writeHead(201, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isFirst
            ? { chatroomId: `room of ${message.partnerName}` }
            : {
                _id: clientId,
                clientId,
                chatroom: message.chatroom,
                content,
                sender: { username: 'ada' },
                seq: stored.size,
                rev: stored.size,
              },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});

function refuse(
  response: ServerResponse,
  { status, code, retryAfter, body }: Exclude<Reaction, string>,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  response.end(body ?? JSON.stringify({ errorMessage: 'no', code }));
}

function respondToCopy(response: ServerResponse, { messageId }: CopyMediaBody): void {
  onCopy();
  const reaction = copyReactions.shift();
  if (typeof reaction === 'object') {
    refuse(response, reaction);
    return;
  }
  if (reaction === 'cut') {
    response.destroy();
    return;
  }
  copied.push(messageId);
  response.writeHead(201, { 'content-type': 'application/json' });
  const url = `/media/copy ${copied.length} of ${messageId}`;
  response.end(JSON.stringify({ id: idOf(url), url }));
}

afterEach(() => {
  for (const tab of tabs) tab.close();
  server.closeAllConnections();
  server.close();
});

describe('the outbox with messages', () => {
  it('sends each message once, in order per chatroom', async () => {
    const tab = openTab();
    for (const text of ['a1', 'a2', 'a3']) tab.actions.send('a', text);
    tab.actions.send('b', 'b1');
    tab.flush();
    await untilEmpty(tab);
    expect(contents().filter((text) => text.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
    expect(receivedContents.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(tab.sent).toHaveLength(4);
    expect(await storedRecords()).toEqual([]);
  });

  it('retries messages in order while offline, even if only the response was lost', async () => {
    reactions = ['response lost'];
    const tab = openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await until(() => expect(receivedContents).toContain('a1'));
    tab.flush();
    await untilEmpty(tab);
    expect(tab.refused).toEqual([]);
    expect(contents()).toEqual(['a1', 'a2']);
    expect(receivedContents).toEqual(['a1', 'a1', 'a2']);
  });

  it('asks the browser once not to evict unsent messages', async () => {
    const persistStorage = vi.fn<() => void>();
    platform = { ...platform, persistStorage };
    const tab = openTab();
    expect(persistStorage).not.toHaveBeenCalled();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    expect(persistStorage).toHaveBeenCalledOnce();
    await untilEmpty(tab);
  });

  it('treats messages that arrived and were then deleted as sent', async () => {
    reactions = ['response lost', { status: 404, code: 'message_not_found' }];
    const tab = openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await untilEmpty(tab);
    expect(tab.refused).toEqual([]);
    expect(receivedContents).toEqual(['a1', 'a1', 'a2']);
  });

  it('retries messages automatically, but not before the server allows it', async () => {
    reactions = [
      'cut',
      { status: 503, code: 'unavailable' },
      { status: 429, code: 'rate_limited', retryAfter: '3' },
    ];
    const tab = openTab();
    tab.actions.send('a', 'a1');
    await until(() => expect(receivedContents).toHaveLength(3));
    const at = Date.now();
    await untilEmpty(tab);
    expect(Date.now() - at).toBeGreaterThan(2_500);
    expect(receivedContents).toEqual(['a1', 'a1', 'a1', 'a1']);
  });

  it('does not retry continuously if the server requests a wait of months', async () => {
    reactions = [{ status: 429, code: 'rate_limited', retryAfter: '9999999' }];
    const tab = openTab();
    tab.actions.send('a', 'a1');
    await until(() => expect(receivedContents).toEqual(['a1']));
    await new Promise((resolve) => setTimeout(resolve, UNEXPECTED_MS));
    expect(receivedContents).toEqual(['a1']);
    expect(states(tab)).toEqual([['a1', 'waiting']]);
  });

  it.each(['', '{"ok":true}', '<p>Please log in</p>'])(
    'sends a message again after a response that is not from the server: %s',
    async (foreign) => {
      reactions = [200, 404, 511, 500, 500, 500].map((status) => {
        return { status, code: '', body: foreign };
      });
      const tab = openTab();
      tab.actions.send('room', 'hello');
      for (let i = 1; i <= 7; i += 1) {
        await until(() => expect(receivedContents).toHaveLength(i));
        tab.flush();
      }
      await until(() => expect(tab.outboxStore.store.getState().entries).toEqual([]));
      expect([...stored.values()]).toEqual(['hello']);
      expect([tab.refused, tab.sent.length]).toEqual([[], 1]);
    },
  );

  it('retries the messages of other chatrooms while one waits for the limit of requests', async () => {
    limited = 'a1';
    const tab = openTab();
    tab.actions.send('a', 'a1');
    await until(() => expect(entriesOf(tab)[0]).toMatchObject({ waitReason: 'limit' }));
    reactions = ['cut', { status: 503, code: 'unavailable' }];
    tab.actions.send('b', 'b1');
    await until(() => expect(contents()).toEqual(['b1']));
    await until(() => expect(states(tab)).toEqual([['a1', 'waiting']]));
    expect(receivedContents.filter((content) => content === 'a1')).toHaveLength(2);
    limited = undefined;
    tab.flush();
    await untilEmpty(tab);
    expect(contents()).toEqual(['b1', 'a1']);
  });

  it('discards everything unsent to a partner whom the user has blocked elsewhere', async () => {
    reactions = [{ status: 403, code: 'partner_blocked' }];
    const tab = openTab();
    choose(tab, 'draft.png');
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    tab.actions.send('b', 'b1');
    await untilEmpty(tab);
    expect(receivedContents.toSorted()).toEqual(['a1', 'b1']);
    expect(tab.refused).toEqual(['a is blocked']);
    expect(await storedRecords()).toEqual([]);
    expect(shownPreviews.size).toBe(0);
  });

  it('treats a message as refused after three internal server errors and continues with the next', async () => {
    reactions = Array.from({ length: 3 }, () => ({ status: 500, code: 'internal' }));
    const tab = openTab();
    for (const text of ['a1', 'a2']) tab.actions.send('a', text);
    await until(() => expect(states(tab)).toEqual([['a1', 'failed']]));
    expect(receivedContents).toEqual(['a1', 'a1', 'a1', 'a2']);
    expect(tab.refused).toEqual(['a1 internal']);
  });

  it('keeps refused messages after a reload until they are retried or discarded', async () => {
    const no = { status: 403, code: 'partner_deleted' };
    reactions = [no, no];
    const before = openTab();
    for (const text of ['a1', 'a2', 'a3']) before.actions.send('a', text);
    await until(() =>
      expect(states(before)).toEqual([
        ['a1', 'failed'],
        ['a2', 'failed'],
      ]),
    );
    expect(before.refused).toEqual(['a1 partner_deleted', 'a2 partner_deleted']);
    before.close();

    const after = openTab();
    await until(() =>
      expect(states(after)).toEqual([
        ['a1', 'failed'],
        ['a2', 'failed'],
      ]),
    );
    const [first, second] = entriesOf(after);
    after.actions.retry(first?.clientId ?? '');
    after.actions.discard(second?.clientId ?? '');
    await untilEmpty(after);
    expect(contents()).toEqual(['a3', 'a1']);
    await until(async () => expect(await storedRecords()).toEqual([]));
  });

  it('sends nothing until the current user is confirmed', async () => {
    unconfirmed = 2;
    const tab = openTab();
    tab.actions.send('a', 'a1');
    await until(() => expect(unconfirmed).toBe(1));
    expect(states(tab)).toEqual([['a1', 'waiting']]);
    await untilEmpty(tab);
    expect(unconfirmed).toBeLessThan(0);
    expect(receivedContents).toEqual(['a1']);
  });

  it('keeps messages until the next login after the session ends', async () => {
    reactions = [{ status: 401, code: 'unauthenticated' }];
    const before = openTab();
    before.actions.send('a', 'a1');
    await until(() => expect(receivedContents).toEqual(['a1']));
    await until(() => expect(states(before)).toEqual([['a1', 'waiting']]));
    expect(before.refused).toEqual([]);
    before.close();
    await untilEmpty(await reopen());
    expect(contents()).toEqual(['a1']);
  });

  it('stores a message only once if a reload interrupts sending it', async () => {
    unconfirmed = Infinity;
    const before = openTab();
    for (const text of ['a1', 'a2', 'a3']) before.actions.send('a', text);
    before.close();
    unconfirmed = 0;
    creations = 0;
    reactions = ['response lost'];
    const second = openTab();
    await until(() => expect(receivedContents).toEqual(['a1']));
    second.close();
    await untilEmpty(await reopen());
    expect(contents()).toEqual(['a1', 'a2', 'a3']);
  });

  it('sends the messages of two tabs once each', async () => {
    const [one, other] = [openTab(), openTab()];
    for (const text of ['1', '2', '3']) {
      one.actions.send('a', `one ${text}`);
      other.actions.send('a', `other ${text}`);
    }
    await Promise.all([untilEmpty(one), untilEmpty(other)]);
    expect(contents().filter((text) => text.startsWith('one'))).toEqual([
      'one 1',
      'one 2',
      'one 3',
    ]);
    expect(contents().filter((text) => text.startsWith('other'))).toHaveLength(3);
    expect(receivedContents).toHaveLength(6);
    expect(await storedRecords()).toEqual([]);
  });

  it('sends messages of another tab from the tab that holds the lock', async () => {
    unconfirmed = Infinity;
    const one = openTab();
    const other = openTab();
    other.actions.send('a', 'from the other');
    await until(() => expect(states(one)).toEqual([['from the other', 'waiting']]));
    other.close();
    unconfirmed = 0;
    creations = 0;
    one.flush();
    await untilEmpty(one);
    expect(contents()).toEqual(['from the other']);
  });

  it('does not touch the messages of another user', async () => {
    unconfirmed = Infinity;
    openTab().actions.send('a', 'of ada');
    await until(async () => expect(await storedRecords()).toHaveLength(1));
    const flush = vi.fn<() => void>();
    const bob = createOutboxStore({
      platform,
      username: 'bob',
      opened: Promise.resolve(area.open()),
      onRead: flush,
      onSettledElsewhere: () => undefined,
    });
    await bob.loaded;
    expect(bob.store.getState().entries).toEqual([]);
    await bob.erase();
    expect(await storedRecords()).toHaveLength(1);
  });
});

describe('the outbox storage', () => {
  it('puts stored entries before entries written while the storage opened', async () => {
    unconfirmed = Infinity;
    const before = openTab();
    for (const text of ['1', '2']) before.actions.send('a', text);
    before.close();
    const opening = Promise.withResolvers<ClientStorage>();
    const tab = openTab(opening.promise);
    tab.actions.send('a', '3');
    expect(states(tab)).toEqual([['3', 'waiting']]);
    opening.resolve(area.open());
    await until(() => expect(states(tab).map(([text]) => text)).toEqual(['1', '2', '3']));
    unconfirmed = 0;
    creations = 0;
    tab.flush();
    await untilEmpty(tab);
    expect(contents()).toEqual(['1', '2', '3']);
  });

  it.each<[string, () => OpenedStorage]>([
    ['is missing', async () => undefined],
    ['never opens', () => new Promise(() => undefined)],
    ['rejects every call', async () => brokenStorage(() => Promise.reject(new Error('broken')))],
    ['never responds', async () => brokenStorage(() => new Promise(() => undefined))],
  ])('does not block sending if it %s', async (_what, opened) => {
    const tab = openTab(opened());
    for (const text of ['1', '2']) tab.actions.send('a', text);
    choose(tab, 'a.png');
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(contents().toSorted()).toEqual(['/media/png/a.png', '1', '2']);
  });

  it('is empty after an erasure, which also revokes the preview URLs', async () => {
    unconfirmed = Infinity;
    const tab = openTab();
    tab.actions.send('a', '1');
    choose(tab, 'a.png');
    await until(async () => expect(await storedRecords()).toHaveLength(2));
    await tab.outboxStore.erase();
    expect(await storedRecords()).toEqual([]);
    expect(shownPreviews).toEqual(new Set());
  });
});

describe('the outbox with files', () => {
  it('uploads files one at a time in order, and keeps files chosen later as drafts', async () => {
    const tab = openTab();
    choose(tab, 'a.png', 'b.png');
    onUpload = (fileName) => {
      if (fileName === 'a.png') choose(tab, 'later.png');
    };
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(states(tab)).toEqual([['later.png', 'draft']]));
    expect(contents()).toEqual(['/media/png/a.png', '/media/png/b.png']);
    expect(shownPreviews.size).toBe(1);
    discard(tab, 'later.png');
    expect(shownPreviews.size).toBe(0);
    await until(async () => expect(await storedRecords()).toEqual([]));
  });

  it('sends text before files that are being uploaded, and later files after them', async () => {
    const tab = openTab();
    choose(tab, 'a.png');
    onUpload = async (fileName) => {
      if (fileName !== 'a.png') return;
      choose(tab, 'b.png');
      tab.actions.sendMedia('image', 'a');
      tab.actions.send('a', 'look at these');
      expect(tab.outboxStore.store.getState().progress).toEqual({
        [entriesOf(tab)[0]?.clientId ?? '']: 0.5,
      });
      await until(() => expect(contents()).toEqual(['look at these']));
    };
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(contents()).toEqual(['look at these', '/media/png/a.png', '/media/png/b.png']);
    expect(uploads).toEqual(['a.png', 'b.png']);
    expect(tab.outboxStore.store.getState().progress).toEqual({});
  });

  it('keeps a failed file and those after it as drafts, which can be sent again', async () => {
    const tab = openTab();
    choose(tab, 'a.png', 'b.png', 'c.png');
    onUpload = (fileName) => {
      if (fileName === 'b.png') throw new ApiError('too_large', 413, 'no');
    };
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(tab.refused).toEqual(['b.png too_large']));
    // The first file may still be in the outbox.
    expect(states(tab)).toEqual(
      expect.arrayContaining([
        ['b.png', 'draft'],
        ['c.png', 'draft'],
      ]),
    );
    onUpload = () => undefined;
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(contents()).toEqual(['a', 'b', 'c'].map((name) => `/media/png/${name}.png`));
  });

  describe('as an album', () => {
    it('sends images and their caption in a row, even if a text is written meanwhile', async () => {
      const tab = openTab();
      choose(tab, 'a.png', 'b.png');
      onUpload = async (fileName) => {
        if (fileName === 'a.png') return;
        tab.actions.send('a', 'by the way');
        await until(() => expect(contents()).toEqual(['by the way']));
      };
      tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
      await untilEmpty(tab);
      const images = ['/media/png/a.png', '/media/png/b.png'];
      expect(contents()).toEqual(['by the way', ...images, 'at the lake']);
      const [none, id, ...ids] = albums;
      expect(none).toBeUndefined();
      expect(id).toMatch(/^[\da-f-]{36}$/);
      expect(ids).toEqual([id, id]);
    });

    it('has no id if there is a single image without a caption', async () => {
      const tab = openTab();
      choose(tab, 'a.png');
      tab.actions.sendMedia('image', 'a');
      await untilEmpty(tab);
      expect(albums).toEqual([undefined]);
    });

    it('is sent in a row after a reload during its uploads', async () => {
      const tab = openTab();
      await tab.outboxStore.loaded;
      choose(tab, 'a.png', 'b.png');
      const { promise: never } = Promise.withResolvers<void>();
      onUpload = (fileName) => (fileName === 'b.png' ? never : undefined);
      tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
      await until(() => expect(uploads).toEqual(['a.png', 'b.png']));
      expect(contents()).toEqual([]);
      await until(async () => expect(await storedRecords()).toHaveLength(3));
      tab.close();
      onUpload = () => undefined;
      const reopened = await reopen();
      reopened.flush();
      await untilEmpty(reopened);
      expect(contents()).toEqual(['/media/png/a.png', '/media/png/b.png', 'at the lake']);
      expect(new Set(albums).size).toBe(1);
    });

    it('returns its caption if an image is refused, and can be sent again', async () => {
      const tab = openTab();
      choose(tab, 'a.png', 'b.png', 'c.png');
      onUpload = (fileName) => {
        if (fileName === 'b.png') throw new ApiError('too_large', 413, 'no');
      };
      tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
      await until(() => expect(contents()).toEqual(['/media/png/a.png']));
      expect(tab.refused).toEqual(['b.png too_large']);
      expect(captions).toEqual(['at the lake']);
      discard(tab, 'b.png');
      await until(() => expect(states(tab)).toEqual([['c.png', 'draft']]));
      tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
      await untilEmpty(tab);
      expect(contents()).toEqual(['/media/png/a.png', '/media/png/c.png', 'at the lake']);
      expect(albums[0]).not.toBe(albums[1]);
      expect(albums[1]).toBe(albums[2]);
    });

    it('returns the captions of all albums that are stopped by a refusal', async () => {
      const tab = openTab();
      onUpload = (fileName) => {
        if (fileName === 'a.png') {
          choose(tab, 'b.png');
          tab.actions.sendMedia('image', 'a', undefined, 'second');
        }
        throw new ApiError('too_large', 413, 'no');
      };
      choose(tab, 'a.png');
      tab.actions.sendMedia('image', 'a', undefined, 'first');
      await until(() => expect(captions).toEqual(['first', 'second']));
      expect(states(tab)).toEqual([
        ['a.png', 'draft'],
        ['b.png', 'draft'],
      ]);
      expect(contents()).toEqual([]);
    });

    it('returns its caption if all images are discarded, and sends it with those that remain', async () => {
      hasConnection = false;
      onUpload = () => {
        throw new ApiError('offline', 0, 'no response');
      };
      const tab = openTab();
      choose(tab, 'a.png', 'b.png');
      tab.actions.sendMedia('image', 'a', undefined, 'at the lake');
      await until(() => expect(uploads).toHaveLength(1));
      discard(tab, 'a.png');
      expect(captions).toEqual([]);
      discard(tab, 'b.png');
      expect(captions).toEqual(['at the lake']);
      expect(states(tab)).toEqual([]);

      choose(tab, 'c.png', 'd.png');
      tab.actions.sendMedia('image', 'a', undefined, 'in the woods');
      discard(tab, 'c.png');
      onUpload = () => undefined;
      tab.flush();
      await untilEmpty(tab);
      expect(contents()).toEqual(['/media/png/d.png', 'in the woods']);
    });
  });

  it('reports a failed upload immediately while online, and retries it while offline', async () => {
    const tab = openTab();
    choose(tab, 'a.png');
    onUpload = () => {
      throw new ApiError('offline', 0, 'no response');
    };
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(tab.refused).toEqual(['a.png offline']));
    expect(states(tab)).toEqual([['a.png', 'draft']]);
    hasConnection = false;
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(uploads).toHaveLength(2));
    await until(() => expect(states(tab)).toEqual([['a.png', 'waiting']]));
    onUpload = () => undefined;
    tab.flush();
    await untilEmpty(tab);
    expect(tab.refused).toHaveLength(1);
    expect(contents()).toEqual(['/media/png/a.png']);
  });

  it('does not send files that are discarded during the upload, but sends the others', async () => {
    const tab = openTab();
    choose(tab, 'a.png', 'b.png');
    onUpload = (fileName) => {
      if (fileName === 'a.png') discard(tab, 'a.png');
    };
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(contents()).toEqual(['/media/png/b.png']);
    expect(tab.refused).toEqual([]);
  });

  it("discards files if the partner's account is deleted in the meantime", async () => {
    const tab = openTab();
    choose(tab, 'a.png', 'b.png', 'c.png');
    onUpload = (fileName) => {
      isPartnerDeleted = fileName === 'b.png';
    };
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(tab.refused).toEqual(['b.png partner_deleted']));
    await untilEmpty(tab);
    expect(contents()).toEqual(['/media/png/a.png']);
    expect(uploads).toEqual(['a.png', 'b.png']);
  });

  it('keeps the size of an image until its message is confirmed', async () => {
    const before = openTab();
    choose(before, 'a.png');
    before.actions.setImageSize(entriesOf(before)[0]?.clientId ?? '', { width: 30, height: 20 });
    before.actions.setImageSize('unknown', { width: 1, height: 1 });
    await before.outboxStore.loaded;
    before.close();

    const after = await reopen();
    expect(entriesOf(after)).toMatchObject([{ media: { width: 30, height: 20 }, state: 'draft' }]);
    const seen: OutboxEntry[] = [];
    after.outboxStore.store.subscribe(({ entries }) => seen.push(...entries));
    after.actions.sendMedia('image', 'a');
    await untilEmpty(after);
    expect(seen.some(({ uploadedFile }) => uploadedFile?.name === 'a.png')).toBe(true);
    expect(seen.filter(({ media }) => media?.width !== 30)).toEqual([]);
  });

  it('restores chosen, waiting and uploading files after a reload', async () => {
    const before = openTab();
    choose(before, 'a.png', 'b.png');
    onUpload = () => new Promise(() => undefined);
    before.actions.sendMedia('image', 'a');
    const media = { duration: 1_000, peaks: [1, 2] };
    before.actions.addMedia('audio', 'a', new Blob(['webm']), 'recording.webm', media);
    await until(() => expect(uploads).toEqual(['a.png']));
    before.close();
    expect(shownPreviews).toEqual(new Set());

    onUpload = () => undefined;
    unconfirmed = Infinity;
    const after = openTab();
    await until(() =>
      expect(states(after)).toEqual([
        ['a.png', 'waiting'],
        ['b.png', 'waiting'],
        ['recording.webm', 'draft'],
      ]),
    );
    expect(entriesOf(after)[2]).toMatchObject({ media, file: { kind: 'audio' } });
    expect(shownPreviews.size).toBe(3);
    unconfirmed = 0;
    creations = 0;
    after.flush();
    after.actions.sendMedia('audio', 'a');
    await untilEmpty(after);
    expect(contents().filter((url) => url.endsWith('png'))).toEqual([
      '/media/png/a.png',
      '/media/png/b.png',
    ]);
    expect(contents()).toContain('/media/webm/recording.webm');
    expect(shownPreviews.size).toBe(0);
  });

  it('does not upload a file again after a reload', async () => {
    reactions = ['response lost', 'cut', 'cut'];
    const before = openTab();
    choose(before, 'a.png');
    before.actions.sendMedia('image', 'a');
    await until(() => expect(receivedContents).toHaveLength(1));
    await until(async () =>
      expect(await storedRecords()).toMatchObject([
        { value: { data: { content: '/media/png/a.png' } } },
      ]),
    );
    before.close();
    await untilEmpty(await reopen());
    expect(uploads).toEqual(['a.png']);
    expect(contents()).toEqual(['/media/png/a.png']);
    expect(receivedKinds).toEqual(Array.from(receivedContents, () => 'image'));
    expect(await storedRecords()).toEqual([]);
    expect(shownPreviews.size).toBe(0);
  });

  it('sends an upload by its id, and by its URL if an earlier version stored no id', async () => {
    reactions = ['cut'];
    const before = openTab();
    choose(before, 'a.png');
    before.actions.sendMedia('image', 'a');
    await until(() => expect(receivedContents).toHaveLength(1));
    await until(async () =>
      expect(await storedRecords()).toMatchObject([
        { value: { data: { uploadId: 'id of png/a.png', state: 'waiting' } } },
      ]),
    );
    before.close();
    const storage = area.open();
    const [{ key, value, file }] = (await storage.getAll('outbox')) as [StorageRecord];
    const withoutId = JSON.stringify(value).replace(/,?"uploadId":"[^"]*"/, '');
    await storage.put('outbox', key, { value: JSON.parse(withoutId), file });
    storage.close();
    await untilEmpty(await reopen());
    expect(receivedBodies).toEqual([
      { content: undefined, uploadId: 'id of png/a.png' },
      { content: '/media/png/a.png', uploadId: undefined },
    ]);
    expect(uploads).toEqual(['a.png']);
  });

  it('uploads a file again if the server deleted it before the message was sent', async () => {
    reactions = ['cut'];
    const before = openTab();
    choose(before, 'a.png');
    before.actions.sendMedia('image', 'a');
    await until(() => expect(receivedContents).toHaveLength(1));
    await until(async () =>
      expect(await storedRecords()).toMatchObject([
        { value: { data: { content: '/media/png/a.png', state: 'waiting' } } },
      ]),
    );
    before.close();

    reactions = [{ status: 404, code: 'media_not_found' }];
    const after = await reopen();
    await untilEmpty(after);
    expect(uploads).toEqual(['a.png', 'a.png']);
    expect(contents()).toEqual(['/media/png/a.png']);
    expect(new Set(receivedIds).size).toBe(1);
    expect(after.refused).toEqual([]);
    expect(await storedRecords()).toEqual([]);
    expect(shownPreviews.size).toBe(0);
  });

  it('does not send a file that is discarded while it is uploaded again', async () => {
    reactions = [{ status: 404, code: 'media_not_found' }];
    const tab = openTab();
    choose(tab, 'a.png');
    onUpload = () => {
      const [entry] = entriesOf(tab);
      if (uploads.length === 2) tab.actions.discard(entry?.clientId ?? '');
    };
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(uploads).toHaveLength(2));
    await untilEmpty(tab);
    tab.actions.send('a', 'later');
    await untilEmpty(tab);
    expect(contents()).toEqual(['later']);
  });

  it('uploads a file a third time, but refuses one that the server loses every time', async () => {
    const lost = { status: 404, code: 'media_not_found' };
    reactions = [lost, lost];
    const tab = openTab();
    choose(tab, 'a.png');
    tab.actions.sendMedia('image', 'a');
    await untilEmpty(tab);
    expect(contents()).toEqual(['/media/png/a.png']);
    expect(tab.refused).toEqual([]);

    reactions = Array.from({ length: 20 }, () => lost);
    choose(tab, 'b.png');
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(tab.refused).toEqual(['/media/png/b.png internal']));
    expect(states(tab)).toEqual([['/media/png/b.png', 'failed']]);
    expect(uploads.filter((name) => name === 'b.png')).toHaveLength(4);
  });

  it('retries a file whose second upload fails, in order', async () => {
    reactions = [
      { status: 404, code: 'media_not_found' },
      { status: 404, code: 'media_not_found' },
    ];
    const tab = openTab();
    choose(tab, 'a.png');
    onUpload = () => {
      if (uploads.length === 2) throw new ApiError('offline', 0, 'no response');
    };
    tab.actions.sendMedia('image', 'a');
    await until(() => expect(uploads).toHaveLength(2));
    tab.actions.send('a', 'later');
    await untilEmpty(tab);
    expect(uploads).toHaveLength(3);
    expect(contents()).toEqual(['/media/png/a.png', 'later']);
  });

  it('uploads and sends files of two tabs once, and removes them in both', async () => {
    const one = openTab();
    choose(one, 'a.png', 'b.png', 'c.png');
    const other = openTab();
    await until(() => expect(states(other)).toHaveLength(3));
    discard(other, 'c.png');
    await until(() => expect(states(one)).toHaveLength(2));
    one.actions.sendMedia('image', 'a');
    other.actions.sendMedia('image', 'a');
    await Promise.all([untilEmpty(one), untilEmpty(other)]);
    expect(uploads).toEqual(['a.png', 'b.png']);
    expect(contents()).toEqual(['/media/png/a.png', '/media/png/b.png']);
    expect(shownPreviews.size).toBe(0);
  });

  it('aborts an upload when another tab discards the file', async () => {
    const one = openTab();
    choose(one, 'a.png');
    const other = openTab();
    await until(() => expect(states(other)).toHaveLength(1));
    const stopped = vi.fn<() => void>();
    onUpload = (_name, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          stopped();
          reject(new DOMException('Cancelled', 'AbortError'));
        });
      });
    one.actions.sendMedia('image', 'a');
    await until(() => expect(uploads).toEqual(['a.png']));
    discard(other, 'a.png');
    await until(() => expect(stopped).toHaveBeenCalledOnce());
    await untilEmpty(one);
    expect(receivedContents).toEqual([]);
    expect(one.refused).toEqual([]);
  });
});

describe('the outbox with first messages', () => {
  const created = (tab: Tab) => tab.outboxStore.store.getState().created['bob']?.chatroomId;

  it('creates a chatroom with a first message', async () => {
    const tab = openTab();
    tab.actions.sendFirstMessage('Bob', 'hello');
    await untilEmpty(tab);
    expect(created(tab)).toBe('room of Bob');
    tab.outboxStore.store.getState().forgetCreated('Bob');
    expect(created(tab)).toBeUndefined();
  });

  it('tells of a chatroom whose first message was discarded on its way', async () => {
    const tab = openTab();
    const { store } = tab.outboxStore;
    store.subscribe(({ entries }) => {
      for (const { clientId, state } of entries)
        if (state === 'sending') tab.actions.discard(clientId);
    });
    tab.actions.sendFirstMessage('Bob', 'hello');
    await until(() => expect(creations).toBe(1));
    expect(store.getState().entries).toEqual([]);
  });

  it('reports failed first messages as drafts, and assigns a new id only to changed content', async () => {
    reactions = ['response lost', 'response lost'];
    const tab = openTab();
    tab.actions.sendFirstMessage('Bob', 'hello');
    await until(() => expect(tab.refused).toEqual(['hello offline']));
    expect(states(tab)).toEqual([['hello', 'draft']]);
    tab.actions.sendFirstMessage('Bob', 'hello');
    await until(() => expect(tab.refused).toHaveLength(2));
    tab.close();
    const after = openTab();
    await until(() => expect(states(after)).toEqual([['hello', 'draft']]));
    after.actions.sendFirstMessage('Bob', 'hello');
    await untilEmpty(after);
    reactions = ['response lost'];
    after.actions.sendFirstMessage('Bob', 'again');
    await until(() => expect(after.refused).toHaveLength(1));
    after.actions.sendFirstMessage('Bob', 'again, changed');
    await untilEmpty(after);
    expect(contents()).toEqual(['hello', 'again', 'again, changed']);
    const [one, two, three, four, five] = receivedIds;
    expect([two, three]).toEqual([one, one]);
    expect(new Set([one, four, five]).size).toBe(3);
  });

  it('keeps first messages while offline, even after a reload, until they are canceled', async () => {
    hasConnection = false;
    reactions = ['cut', 'cut', 'cut'];
    const before = openTab();
    before.actions.sendFirstMessage('Bob', 'hello');
    await until(() => expect(receivedContents).toHaveLength(1));
    await until(() => expect(states(before)).toEqual([['hello', 'waiting']]));
    before.actions.cancelFirstMessage(entriesOf(before)[0]?.clientId ?? '');
    expect(states(before)).toEqual([['hello', 'draft']]);
    before.actions.sendFirstMessage('Bob', 'hello');
    await until(() => expect(receivedContents).toHaveLength(2));
    before.close();
    const after = await reopen();
    await untilEmpty(after);
    expect(created(after)).toBe('room of Bob');
    expect(new Set(receivedIds).size).toBe(1);
    expect([...before.refused, ...after.refused]).toEqual([]);
  });

  it.each([
    { status: 404, code: 'user_not_found' },
    { status: 403, code: 'not_accepting_messages' },
    { status: 403, code: 'partner_blocked' },
  ])(
    'turns a first message refused with $code into a draft even while offline',
    async (refusal) => {
      hasConnection = false;
      reactions = [refusal];
      const tab = openTab();
      tab.actions.sendFirstMessage('nobody', 'hello');
      await until(() => expect(tab.refused).toEqual([`hello ${refusal.code}`]));
      expect(states(tab)).toEqual([['hello', 'draft']]);
    },
  );

  it('accepts a live event as confirmation of a first message', async () => {
    unconfirmed = Infinity;
    const tab = openTab();
    tab.actions.sendFirstMessage('Bob', 'hello');
    tab.outboxStore.store.getState().confirm(entriesOf(tab)[0]?.clientId ?? '', 'room');
    expect(created(tab)).toBe('room');
    await until(async () => expect(await storedRecords()).toEqual([]));
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
    const tab = openTab();
    tab.actions.send('a', 'a1');
    tab.actions.forward(['a', 'b'], text);
    tab.actions.send('b', 'b1');
    await untilEmpty(tab);
    expect(contents().toSorted()).toEqual(['a text', 'a text', 'a1', 'b1']);
    expect(contents().indexOf('a1')).toBeLessThan(contents().lastIndexOf('a text'));
    expect(contents().indexOf('a text')).toBeLessThan(contents().indexOf('b1'));
    expect(forwarded).toEqual(['a text', 'a text']);
    expect(copied).toEqual([]);
  });

  it('forwards an image in its place, with one copy for each chatroom and no upload', async () => {
    const tab = openTab();
    tab.actions.send('a', 'a1');
    tab.actions.forward(['a', 'b'], image);
    tab.actions.send('a', 'a2');
    const [, entry] = entriesOf(tab);
    expect(entry).toMatchObject({
      content: '',
      source: { url: image.content },
      media: image.media,
    });
    await untilEmpty(tab);
    expect(copied).toEqual(['original', 'original']);
    expect(uploads).toEqual([]);
    expect(forwarded.toSorted()).toEqual([
      '/media/copy 1 of original',
      '/media/copy 2 of original',
    ]);
    expect(receivedKinds.filter(Boolean)).toEqual(['image', 'image']);
    const inOrder = contents().filter((content) => content !== '/media/copy 1 of original');
    expect(inOrder.filter((content) => /^a\d/.test(content))).toEqual(['a1', 'a2']);
    expect(new Set(receivedIds)).toHaveProperty('size', 4);
  });

  it('sends forwarded messages after a reload', async () => {
    unconfirmed = Infinity;
    const before = openTab();
    before.actions.forward(['a'], text);
    before.actions.forward(['a'], image);
    await until(async () => expect(await storedRecords()).toHaveLength(2));
    before.close();
    unconfirmed = 0;
    creations = 0;
    const after = await reopen();
    await untilEmpty(after);
    expect(contents()).toEqual(['a text', '/media/copy 1 of original']);
    expect(forwarded).toEqual(contents());
  });

  it('copies the original only once if the message has to be sent again', async () => {
    reactions = ['cut', 'response lost'];
    const tab = openTab();
    tab.actions.forward(['a'], image);
    await untilEmpty(tab);
    expect(copied).toEqual(['original']);
    expect(contents()).toEqual(['/media/copy 1 of original']);
    expect(new Set(receivedIds)).toHaveProperty('size', 1);
  });

  it('copies the original again if the server has deleted the copy', async () => {
    reactions = ['cut', { status: 404, code: 'media_not_found' }];
    const tab = openTab();
    tab.actions.forward(['a'], image);
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(copied).toEqual(['original', 'original']);
    expect(contents()).toEqual(['/media/copy 2 of original', 'a1']);
  });

  it('retries a copy until the server can make it', async () => {
    copyReactions = [
      'cut',
      { status: 503, code: 'unavailable' },
      { status: 429, code: 'rate_limited', retryAfter: '1' },
    ];
    const tab = openTab();
    tab.actions.forward(['a'], image);
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(contents()).toEqual(['/media/copy 1 of original', 'a1']);
    expect(tab.refused).toEqual([]);
  });

  it.each([gone, { status: 404, code: 'media_not_found' }])(
    'keeps a message whose original was deleted as failed and sends the next ones: $code',
    async (reaction) => {
      copyReactions = [reaction];
      const before = openTab();
      before.actions.forward(['a'], image);
      before.actions.send('a', 'a1');
      await until(() => expect(contents()).toEqual(['a1']));
      await until(() => expect(states(before)).toEqual([['', 'failed']]));
      expect(before.refused).toEqual([` ${reaction.code}`]);
      before.close();
      const after = await reopen();
      expect(entriesOf(after)).toMatchObject([{ failReason: 'source_deleted', state: 'failed' }]);
      after.actions.discard(entriesOf(after)[0]?.clientId ?? '');
      expect(entriesOf(after)).toEqual([]);
      await until(async () => expect(await storedRecords()).toEqual([]));
    },
  );

  it.each([
    { status: 403, code: 'quota_media' },
    { status: 507, code: 'storage_full' },
  ])(
    'keeps a message that the server cannot store as failed, to be sent again later: $code',
    async (reaction) => {
      copyReactions = [reaction];
      const tab = openTab();
      tab.actions.forward(['a'], image);
      tab.actions.send('a', 'a1');
      await until(() => expect(contents()).toEqual(['a1']));
      expect(tab.refused).toEqual([` ${reaction.code}`]);
      expect(entriesOf(tab)[0]).not.toHaveProperty('failReason');
      tab.actions.retry(entriesOf(tab)[0]?.clientId ?? '');
      await untilEmpty(tab);
      expect(contents()).toEqual(['a1', '/media/copy 1 of original']);
    },
  );

  it('sends nothing if the message is discarded while its original is copied', async () => {
    const tab = openTab();
    onCopy = () => tab.actions.discard(entriesOf(tab)[0]?.clientId ?? '');
    tab.actions.forward(['a'], image);
    tab.actions.send('a', 'a1');
    await untilEmpty(tab);
    expect(contents()).toEqual(['a1']);
    expect(copied).toEqual(['original']);
  });
});

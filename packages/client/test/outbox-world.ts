import type { CopyMediaBody, CreateChatroomBody, SendBody } from '@parley/contract';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { createApiClient } from '../src/api/client.ts';
import type { ClientStores } from '../src/client-stores.ts';
import type { StorageRecord } from '../src/client-storage.ts';
import {
  createHeadlessPlatform,
  createMemoryLocks,
  createMemoryStorage,
} from '../src/headless-platform.ts';
import type { OutboxEntry } from '../src/outbox/outbox-entry.ts';
import { createOutboxStore, type OutboxStore } from '../src/outbox/outbox-store.ts';
import { createOutbox, type Outbox } from '../src/outbox/outbox.ts';
import type { Platform, UploadMedia } from '../src/platform.ts';
import { createMemoryStorageArea, type MemoryStorageArea } from '../src/storage/memory-storage.ts';
import type { OpenedStorage } from '../src/storage/open-storage.ts';
import { createOutboxContext } from './create-outbox-context.ts';

/** The reaction to a request that is not accepted, with the body of a response that is not from the server. */
type Reaction =
  | { status: number; code: string; retryAfter?: string; body?: string }
  | 'cut'
  | 'response lost';

/** The reaction to a message to people who have not accepted many earlier ones. */
const REQUEST_LIMIT: Reaction = { status: 429, code: 'rate_limited', retryAfter: '3000' };

/** A tab of the browser. */
export interface OutboxTab extends Outbox {
  readonly stores: ClientStores;
  readonly outboxStore: OutboxStore;
  /** What was refused and why, and the chatrooms that were fetched again. */
  readonly refused: string[];
  /** The number of messages that the server has stored. */
  sent: number;
  /** The contents of the messages by which chats were to be changed. */
  readonly chatChanges: string[];
  /** Closes the tab, as a reload does. */
  readonly close: () => void;
}

/** A server and the tabs of a browser, with what they do and have done. */
export interface OutboxWorld {
  /** The reactions to the next requests, in order. Later requests are accepted. */
  reactions: Reaction[];
  /** The contents of all requests received by the server, in order. */
  readonly receivedContents: string[];
  /** The `clientId` of each request. */
  readonly receivedIds: string[];
  /** The `kind` of each request. */
  readonly receivedKinds: SendBody['kind'][];
  readonly receivedBodies: { content: string | undefined; uploadId: string | undefined }[];
  /** The messages that were received as forwarded. */
  readonly forwarded: string[];
  /** The messages whose media the server has copied, in order. */
  readonly copied: string[];
  /** The reactions to the next copies, in order. Later ones are made. */
  copyReactions: Reaction[];
  /** Called before each copy is made. */
  onCopy: () => void;
  /** The contents of the messages on the server, by `clientId`. */
  readonly stored: Map<string, string>;
  /** The album of each message on the server, in order. */
  readonly albums: (string | undefined)[];
  /** The content of a message that the limit of requests refuses. */
  limited: string | undefined;
  /** The names of the files of all uploads, in order. */
  readonly uploads: string[];
  /** Called during each upload. */
  onUpload: (fileName: string, signal: AbortSignal | undefined) => void | Promise<void>;
  /** Number of upcoming attempts to confirm the user that fail. */
  unconfirmed: number;
  /** Number of chatrooms that first messages have created. */
  creations: number;
  hasConnection: boolean;
  /** Whether the server has a version that the tabs support. */
  isVersionSupported: boolean;
  readonly area: MemoryStorageArea;
  platform: Platform;
  readonly shownPreviews: Set<string>;
  readonly openTab: (opened?: OpenedStorage) => OutboxTab;
  /** Opens a tab and waits until it has read the storage. */
  readonly reopen: () => Promise<OutboxTab>;
  /** Returns the contents of the messages on the server. */
  readonly contents: () => string[];
  readonly storedRecords: () => Promise<readonly StorageRecord[]>;
  readonly close: () => void;
}

// The long timeout is for slow machines. The tests do not depend on speed.
vi.setConfig({ testTimeout: 60_000 });
export const eventually = (check: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 30_000 });

/** Ids of uploads are their URLs with another prefix. */
const idOf = (url: string): string => url.replace('/media/', 'id of ');
const urlOf = (id: string): string => id.replace('id of ', '/media/');

export const entriesOf = (tab: OutboxTab): readonly OutboxEntry[] =>
  tab.outboxStore.store.getState().entries;
export const states = (tab: OutboxTab): [string, OutboxEntry['state']][] =>
  entriesOf(tab).map(({ content, file, state }) => [file?.name ?? content, state]);
export const untilEmpty = (tab: OutboxTab): Promise<void> =>
  eventually(() => expect(states(tab)).toEqual([]));

/** Adds images as drafts. */
export function choose(tab: OutboxTab, ...names: string[]): void {
  for (const name of names) tab.actions.addMedia('image', 'a', new Blob(['png']), name);
}

export function discardFile(tab: OutboxTab, name: string): void {
  const entry = entriesOf(tab).find(({ file }) => file?.name === name);
  tab.actions.discard(entry?.clientId ?? '');
}

/** Starts a server that accepts everything, for a browser that has stored nothing. */
export async function createOutboxWorld(): Promise<OutboxWorld> {
  const tabs: OutboxTab[] = [];
  const area = createMemoryStorageArea();
  const shownPreviews = new Set<string>();
  let previews = 0;

  const upload: UploadMedia = async (_api, _kind, file, fileName, { onProgress, signal } = {}) => {
    world.uploads.push(fileName);
    onProgress?.(0.5);
    await world.onUpload(fileName, signal);
    signal?.throwIfAborted();
    const url = `/media/${await file.text()}/${fileName}`;
    return { id: idOf(url), url };
  };

  const server = createServer((request, response) => void respond(world, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const api = createApiClient({ origin: `http://127.0.0.1:${address.port}` });

  function openTab(opened: OpenedStorage = Promise.resolve(area.open())): OutboxTab {
    const { platform } = world;
    const closing = new AbortController();
    const { signal } = closing;
    const refused: string[] = [];
    const chatChanges: string[] = [];
    const outboxStore = createOutboxStore({
      platform,
      username: 'ada',
      opened,
      signal,
      onRead: () => outbox.flush(),
      onSettledElsewhere: () => undefined,
    });
    const context = createOutboxContext(
      { api, platform, opened, outbox: outboxStore, signal },
      {
        isVersionSupported: async () => world.isVersionSupported,
        chatList: { request: () => (world.creations += 1) },
        events: {
          onSent: () => (tab.sent += 1),
          onSendRefused: ({ content, file }, { code }) =>
            refused.push(`${file?.name ?? content} ${code}`),
        },
        changeChat: ({ content }) => chatChanges.push(content),
        refetchChat: (chatroomId) => refused.push(`${chatroomId} is fetched again`),
      },
    );
    const outbox = createOutbox(context, outboxStore, async () => {
      if (world.unconfirmed-- > 0) throw new Error('another user may be signed in');
    });
    const tab: OutboxTab = {
      ...outbox,
      stores: context.stores,
      outboxStore,
      refused,
      sent: 0,
      chatChanges,
      close: () => {
        closing.abort();
        void opened.then((storage) => storage?.close());
      },
    };
    tabs.push(tab);
    return tab;
  }

  const world: OutboxWorld = {
    reactions: [],
    receivedContents: [],
    receivedIds: [],
    receivedKinds: [],
    receivedBodies: [],
    forwarded: [],
    copied: [],
    copyReactions: [],
    onCopy: () => undefined,
    stored: new Map(),
    albums: [],
    limited: undefined,
    uploads: [],
    onUpload: () => undefined,
    unconfirmed: 0,
    creations: 0,
    hasConnection: true,
    isVersionSupported: true,
    area,
    platform: createHeadlessPlatform(undefined, {
      upload,
      locks: createMemoryLocks(),
      storage: createMemoryStorage(),
      isOnline: () => world.hasConnection,
      createPreviewUrl: () => {
        const url = `blob:${(previews += 1)}`;
        shownPreviews.add(url);
        return url;
      },
      revokePreviewUrl: (url) => shownPreviews.delete(url),
    }),
    shownPreviews,
    openTab,
    reopen: async () => {
      const tab = openTab();
      await tab.outboxStore.loaded;
      return tab;
    },
    contents: () => [...world.stored.values()],
    storedRecords: async () => area.open().getAll('outbox'),
    close: () => {
      for (const tab of tabs) tab.close();
      server.closeAllConnections();
      server.close();
    },
  };
  return world;
}

async function respond(
  world: OutboxWorld,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request);
  if (request.url?.endsWith('/media/copy') === true) {
    respondToCopy(world, JSON.parse(body) as CopyMediaBody, response);
    return;
  }
  const message = JSON.parse(body) as SendBody & CreateChatroomBody;
  const { clientId = '', uploadId } = message;
  const content = uploadId === undefined ? (message.content ?? '') : urlOf(uploadId);
  world.receivedBodies.push({ content: message.content, uploadId });
  if (message.isForwarded) world.forwarded.push(content);
  world.receivedContents.push(content);
  world.receivedIds.push(clientId);
  world.receivedKinds.push(message.kind);
  const reaction = content === world.limited ? REQUEST_LIMIT : world.reactions.shift();
  if (typeof reaction === 'object') {
    refuse(response, reaction);
    return;
  }
  if (reaction !== 'cut' && !world.stored.has(clientId)) {
    world.stored.set(clientId, content);
    world.albums.push(message.albumId);
  }
  if (reaction !== undefined) {
    request.socket.destroy();
    return;
  }
  response.writeHead(201, { 'content-type': 'application/json' });
  const isFirst = request.url?.endsWith('/create') === true;
  const sent = {
    _id: clientId,
    clientId,
    chatroom: message.chatroom,
    content,
    sender: { username: 'ada' },
    seq: world.stored.size,
    rev: world.stored.size,
  };
  response.end(JSON.stringify(isFirst ? { chatroomId: `room of ${message.partnerName}` } : sent));
}

function respondToCopy(
  world: OutboxWorld,
  { messageId }: CopyMediaBody,
  response: ServerResponse,
): void {
  world.onCopy();
  const reaction = world.copyReactions.shift();
  if (typeof reaction === 'object') {
    refuse(response, reaction);
    return;
  }
  if (reaction === 'cut') {
    response.destroy();
    return;
  }
  world.copied.push(messageId);
  response.writeHead(201, { 'content-type': 'application/json' });
  const url = `/media/copy ${world.copied.length} of ${messageId}`;
  response.end(JSON.stringify({ id: idOf(url), url }));
}

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

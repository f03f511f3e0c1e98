import type { Changes, Chatroom, ChatState } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAdasOutbox } from '../test/create-adas-outbox.ts';
import { createMessage } from '../test/create-message.ts';
import { createChatState } from '../test/create-chat-state.ts';
import { createApiClient } from './api/client.ts';
import { createHeadlessPlatform } from './headless-platform.ts';
import { createChatroomActions, type ChatroomActions } from './chatroom-actions.ts';
import type { ClientEvents } from './client-events.ts';
import { createClientStores, type ClientStores } from './client-stores.ts';
import { selectDraft } from './outbox/drafts.ts';
import { createOutbox, type OutboxActions } from './outbox/outbox.ts';
import type { ShownEntry } from './shown/shown-chatrooms.ts';
import { toChat } from './stores/chat-list.ts';
import { findChat, getKnownChats } from './stores/chats.ts';
import { withDeleted, type LoadedChatroom } from './stores/loaded-chatroom.ts';
import { findLoadedChatroom } from './stores/loaded-chatrooms.ts';
import { changeChat } from './sync/event-handlers.ts';
import { createChatStates, type ChatStates } from './sync/chat-states.ts';
import { createChatroomLoader, type ChatroomLoader } from './sync/chatroom-loader.ts';
import { DEFAULT_TIMING } from './timing.ts';

let stores: ClientStores;
let actions: ChatroomActions;
let sendDraft: OutboxActions['sendDraft'];
let chatroomLoader: ChatroomLoader;
let requests: string[];
const FAST = { resyncRetryMin: 1, resyncRetryMax: 4, sendRetryMin: 1, sendRetryMax: 4 };

let respond: (request: Request) => Response | Promise<Response>;
/** Ends the client of the test. */
let closing: AbortController;
/** The types and codes of the failures that the app was told, and how many there are if several. */
let told: string[];
/** How long nothing may happen. */
const UNEXPECTED_MS = 100;

const requestList = vi.fn<() => void>();
const chatList = { request: requestList, load: () => Promise.resolve(), stop: () => undefined };
/** The offline copy of the chatroom. */
let stored: LoadedChatroom | undefined;

/** Creates the state of the chat after the messages 1 to `last`. */
const stateOf = (last: number, readSeq = last, changes: Partial<ChatState> = {}): ChatState =>
  createChatState(
    { readSeq, unreadMessagesCount: last - readSeq, ...changes },
    createMessage(last),
  );

/** Creates the server's page of a chatroom with the messages 1 to `last`. */
function page(
  last: number,
  readSeq: number,
  search = new URLSearchParams(),
  changes: Partial<ChatState> = {},
): Chatroom {
  const limit = Number(search.get('limit') ?? 50);
  const around = Number(search.get('around') ?? last + 1);
  const before = Number(search.get('before') ?? Math.min(last + 1, around + limit / 2));
  const first = Math.max(1, before - limit);
  return {
    chat: stateOf(last, readSeq, changes),
    chatroomMessages: Array.from({ length: before - first }, (_, i) => createMessage(first + i)),
    ...(search.has('around') && before <= last && { hasNewer: true }),
    currentUsername: 'Ada',
    partnerName: 'Bob',
    unreadMessagesCount: last - readSeq,
    volume: 'middle',
    hasMore: first > 1,
  };
}

const failure = (status: number, code: string): Response =>
  Response.json({ errorMessage: 'no', code }, { status });
const entry = (): ShownEntry | undefined => stores.shown.rooms.getState().rooms['room'];
const seqs = (): number[] =>
  findLoadedChatroom(stores.shown.rooms.getState(), 'room')?.messages.map(({ seq }) => seq) ?? [];

/** Makes the server respond with the messages 1 to `last` of a chatroom. */
function serve(last: number, readSeq = last): void {
  respond = (request) => Response.json(page(last, readSeq, new URL(request.url).searchParams));
}

beforeEach(() => {
  vi.clearAllMocks();
  requests = [];
  stored = undefined;
  const platform = createHeadlessPlatform();
  const opened = Promise.resolve(undefined);
  const outboxStore = createAdasOutbox();
  closing = new AbortController();
  const { signal } = closing;
  stores = createClientStores(platform, 'Ada', opened, outboxStore.store, signal);
  const api = createApiClient({
    origin: 'http://localhost',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      requests.push(`${request.method} ${pathname}${search}`);
      return respond(request);
    },
  });
  const timing = { ...DEFAULT_TIMING, ...FAST };
  const applyChat: ChatStates['apply'] = (chat, before) => states.apply(chat, before);
  chatroomLoader = createChatroomLoader({
    api,
    stores,
    copy: { findChatroom: async () => stored },
    applyChat,
    signal,
    timing,
  });
  const states = createChatStates({
    stores,
    chatList,
    chatroomLoader,
    copy: { updateChatroom: () => undefined },
    announcer: { announceInvitation: () => undefined },
    signal,
  });
  told = [];
  const events: Partial<ClientEvents> = {
    onChangeFailed: ({ code }, type, count) =>
      told.push(`${type} ${code}${count > 1 ? ` ${count}` : ''}`),
  };
  const core = { api, platform, stores, chatList, events, signal, timing };
  const outbox = createOutbox(
    {
      ...core,
      isVersionSupported: async () => true,
      applyChat,
      refetchChat: states.refetch,
      changeChat: (message, toChange) => changeChat(stores.chats, message, toChange, chatList),
    },
    outboxStore,
    () => Promise.resolve(),
  );
  ({ sendDraft } = outbox.actions);
  actions = createChatroomActions({
    api,
    stores,
    signal,
    chatroomLoader,
    change: outbox.change,
  });
});

afterEach(() => closing.abort());

test('loads a chatroom once, even if it is opened repeatedly', async () => {
  serve(3);
  const both = [actions.open('room'), actions.open('room')];
  expect(entry()).toEqual({ status: 'loading' });
  await Promise.all(both);
  await actions.open('room');
  expect(seqs()).toEqual([1, 2, 3]);
  expect(requests).toHaveLength(1);
});

test('resyncs a chatroom that changed while it was loading', async () => {
  serve(3);
  chatroomLoader.recordRev('room', 4);
  await actions.open('room');
  await vi.waitFor(() => expect(requests.at(-1)).toBe('POST /api/chatrooms/changes'));
});

/** Creates the response of a resync without changed messages. */
function unchanged(rev: number, changes: Partial<ChatState> = {}): Response {
  const chat = stateOf(rev, rev, changes);
  const body: Changes = {
    rooms: [{ chat, rev, updated: [], deleted: [] }],
    gone: [],
    hasMore: false,
  };
  return Response.json(body);
}
const changed = (rev: number, changes: Partial<ChatState>): Response =>
  Response.json({ chat: stateOf(rev, rev, changes) });
const room = () => findLoadedChatroom(stores.shown.rooms.getState(), 'room');
const chat = () => findChat(stores.chats.getState(), 'room');
/** The chat as it is shown in the list. */
const listed = () => stores.shown.chats.getState().chats.find(({ id }) => id === 'room');
const waiting = () => stores.outbox.getState().changes.map(({ key }) => key);
const draft = () => selectDraft(stores.drafts.getState(), 'room');
const writeEdit = (text: string) =>
  stores.drafts
    .getState()
    .change('room', ({ editing }) => (editing ? { editing: { ...editing, text } } : {}));
/** Waits for a condition. The long timeout is for slow machines. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 30_000 });
const resyncs = (): number => requests.filter((request) => request.startsWith('POST')).length;

test('does not show a message again that was deleted while a request was loading', async () => {
  serve(3);
  await actions.open('room');
  const [outdated, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const servePage = respond;
  respond = async (request) => {
    // A server that was restored from a backup, whose chatrooms are reloaded.
    if (request.method === 'POST') return unchanged(2);
    sent.resolve();
    await outdated.promise;
    return servePage(request);
  };
  const resynced = chatroomLoader.resync('room');
  await sent.promise;
  stores.rooms
    .getState()
    .update('room', (room) => withDeleted(room, { _id: 'm1', rev: 4 }, true).room);
  const shown: number[][] = [];
  stores.rooms.subscribe(() => shown.push(seqs()));
  outdated.resolve();
  await resynced;
  expect(shown).toEqual([[2, 3]]);
});

test('retries the resync of a chatroom that changed while it was loading', async () => {
  stores.connection.getState().setStatus('online');
  serve(3);
  const servePage = respond;
  const failures = [failure(503, 'unavailable'), failure(429, 'rate_limited')];
  respond = (request) =>
    request.method === 'GET' ? servePage(request) : (failures.shift() ?? unchanged(4));
  chatroomLoader.recordRev('room', 4);
  await actions.open('room');
  await until(() => {
    expect(findLoadedChatroom(stores.rooms.getState(), 'room')?.rev).toBe(4);
  });
  expect(resyncs()).toBe(3);
});

test('resyncs a chatroom at most twice for many missed changes at once', async () => {
  serve(3);
  await actions.open('room');
  respond = () => unchanged(4);
  for (let i = 0; i < 20; i += 1) chatroomLoader.requestResync('room');
  await until(() => expect(resyncs()).toBe(2));
  chatroomLoader.requestResync('room');
  await until(() => expect(resyncs()).toBe(3));
});

test('does not retry the resync of a chatroom that the server refuses', async () => {
  stores.connection.getState().setStatus('online');
  serve(3);
  await actions.open('room');
  const responses = [failure(403, 'account_suspended')];
  respond = () => responses.shift() ?? unchanged(4);
  chatroomLoader.requestResync('room');
  await until(() => expect(resyncs()).toBe(1));
  await new Promise((resolve) => setTimeout(resolve, UNEXPECTED_MS));
  expect(resyncs()).toBe(1);
});

test('loads a chatroom at its first unread message, in one request if that is near the newest', async () => {
  serve(300, 20);
  await actions.open('room');
  expect(requests).toEqual([
    'GET /api/chatrooms/chats/room?limit=50',
    'GET /api/chatrooms/chats/room?around=21',
  ]);
  expect(room()?.detached?.messages.map(({ seq }) => seq)).toContain(21);
  expect(seqs().at(-1)).toBe(300);
  // What is between them is not read.
  actions.markRead('room');
  expect(room()).toMatchObject({ readSeq: 20, unread: 280 });

  requests = [];
  stores.rooms.getState().removeEntry('room');
  serve(300, 200);
  stores.chats.getState().setFetched([toChat(stateOf(300, 200))], new Map());
  await actions.open('room');
  expect(requests).toEqual(['GET /api/chatrooms/chats/room?limit=120']);
  expect(seqs()[0]).toBe(181);
});

test('marks an unknown chatroom as missing, and reopens a chatroom that failed to load', async () => {
  respond = () => failure(404, 'room_not_found');
  await actions.open('room');
  expect(entry()).toEqual({ status: 'missing' });
  respond = () => failure(429, 'rate_limited');
  await actions.open('room');
  expect(entry()).toMatchObject({ status: 'error', error: { code: 'rate_limited' } });
  serve(1);
  await actions.open('room');
  expect(seqs()).toEqual([1]);
});

test('loads older messages one page at a time, and never concurrently', async () => {
  serve(120);
  await actions.open('room');
  expect(seqs()[0]).toBe(71);
  await Promise.all([actions.loadOlder('room'), actions.loadOlder('room')]);
  expect(seqs()[0]).toBe(21);
  await actions.loadOlder('room');
  expect(seqs()).toHaveLength(120);
  expect(requests).toHaveLength(3);
  await actions.loadOlder('room');
  expect(requests).toHaveLength(3);
});

test('loads older messages again after a failure', async () => {
  serve(120);
  await actions.open('room');
  respond = () => failure(429, 'rate_limited');
  await expect(actions.loadOlder('room')).rejects.toMatchObject({ code: 'rate_limited' });
  serve(120);
  await actions.loadOlder('room');
  expect(seqs()[0]).toBe(21);
});

test('keeps only the newest messages of a chatroom that the user leaves', async () => {
  serve(500);
  await actions.open('room');
  for (let pages = 0; pages < 9; pages += 1) await actions.loadOlder('room');
  expect(seqs()).toHaveLength(500);
  actions.leave('room');
  expect(seqs()).toHaveLength(200);
  expect(findLoadedChatroom(stores.rooms.getState(), 'room')?.hasMore).toBe(true);
});

test('does not add an older page that no longer adjoins the messages in memory', async () => {
  serve(500);
  await actions.open('room');
  for (let pages = 0; pages < 4; pages += 1) await actions.loadOlder('room');
  const loading = actions.loadOlder('room');
  actions.leave('room');
  await loading;
  expect(seqs()).toEqual(Array.from({ length: 200 }, (_, i) => 301 + i));
  await actions.loadOlder('room');
  expect(seqs()[0]).toBe(251);
});

test('loads older messages although all messages in memory were deleted', async () => {
  serve(120);
  await actions.open('room');
  stores.rooms.getState().update('room', (room) => ({ ...room, messages: [] }));
  serve(70);
  await actions.loadOlder('room');
  expect(seqs()[0]).toBe(21);
  expect(seqs().at(-1)).toBe(70);
});

test('marks a chatroom as read immediately, and notifies the server', async () => {
  serve(3, 1);
  stores.chats.getState().setFetched([toChat(stateOf(3, 1))], new Map());
  await actions.open('room');
  const response = Promise.withResolvers<Response>();
  respond = () => response.promise;
  actions.markRead('room');
  expect(room()).toMatchObject({ readSeq: 3, unread: 0 });
  expect(listed()).toMatchObject({ readSeq: 3, unread: 0 });
  await until(() => expect(requests.at(-1)).toBe('POST /api/chatrooms/chats/room/mark-as-read'));
  response.resolve(changed(3, { memberRev: 1 }));
  await until(() => expect(waiting()).toEqual([]));
  expect(chat()).toMatchObject({ readSeq: 3, unread: 0 });
  actions.markRead('room');
  expect(waiting()).toEqual([]);
});

test('does not count a message again that was read, until the server knows of it', async () => {
  serve(3, 1);
  stores.chats.getState().setFetched([toChat(stateOf(3, 1))], new Map());
  await actions.open('room');
  respond = (request) =>
    request.url.endsWith('/changes')
      ? // An older response.
        unchanged(3, { readSeq: 1, unreadMessagesCount: 2 })
      : failure(503, 'unavailable');
  actions.markRead('room');
  await chatroomLoader.resync('room');
  expect(listed()).toMatchObject({ readSeq: 3, unread: 0 });
  expect(room()).toMatchObject({ readSeq: 3, unread: 0 });
  await until(() => expect(told).toEqual(['read unavailable']));
});

test('tells once that a read position failed, and does not send a refused one again', async () => {
  serve(3, 1);
  await actions.open('room');
  const failures = [failure(503, 'unavailable'), failure(400, 'invalid_request')];
  respond = () => failures.shift() ?? changed(3, { memberRev: 1 });
  actions.markRead('room');
  await until(() => expect(waiting()).toEqual([]));
  expect(told).toEqual(['read unavailable']);
  expect(room()).toMatchObject({ readSeq: 1, unread: 2 });
  actions.markRead('room');
  expect(waiting()).toEqual([]);
});

test('shows an edit immediately, and no longer if the server refuses it, which returns the text', async () => {
  serve(2);
  stores.chats.getState().setFetched([toChat(stateOf(2))], new Map());
  await actions.open('room');
  const content = () => room()?.messages[1]?.content;
  respond = () => failure(403, 'not_sender');
  actions.edit(createMessage(2), 'new');
  expect([content(), listed()?.last?.content]).toEqual(['new', 'new']);
  await until(() => expect([content(), listed()?.last?.content]).toEqual(['text 2', 'text 2']));
  expect(told).toEqual(['edit not_sender']);
  await until(() =>
    expect(stores.drafts.getState().drafts).toEqual({
      room: {
        attachments: [],
        text: '',
        editing: { messageId: 'm2', seq: 2, original: 'text 2', text: 'new' },
      },
    }),
  );
});

test('adds the text of a refused edit to the draft if another edit or no message is there to return to', async () => {
  serve(2);
  await actions.open('room');
  actions.startEdit(createMessage(1));
  respond = () => failure(403, 'not_sender');
  actions.edit(createMessage(2), 'new');
  await until(() => expect(draft()).toMatchObject({ text: 'new', editing: { text: 'text 1' } }));
  stores.drafts.getState().discard('room');
  // What the user is writing stays in the text box.
  stores.drafts.getState().change('room', { text: 'the next message' });
  actions.edit(createMessage(2), 'new');
  await until(() => expect(draft()).toEqual({ text: 'the next message\nnew', attachments: [] }));
  stores.drafts.getState().discard('room');
  respond = () => failure(404, 'message_not_found');
  actions.edit({ ...createMessage(2), _id: 'gone' }, 'newer');
  await until(() => expect(draft()).toEqual({ text: 'newer', attachments: [] }));
});

test('a refused edit stays one if the user has begun to edit the message again', async () => {
  serve(2);
  await actions.open('room');
  const refusal = Promise.withResolvers<Response>();
  respond = () => refusal.promise;
  actions.edit(createMessage(2), 'new');
  actions.startEdit({ ...createMessage(2), content: 'new' });
  refusal.resolve(failure(403, 'not_sender'));
  await until(() => expect(told).toEqual(['edit not_sender']));
  actions.leave('room');
  expect(draft().editing).toMatchObject({ original: 'text 2', text: 'new' });
});

test('the text of an edit that is refused after the partner was blocked elsewhere is discarded', async () => {
  serve(2);
  await actions.open('room');
  const refusal = Promise.withResolvers<Response>();
  respond = () => refusal.promise;
  actions.edit(createMessage(2), 'new');
  await until(() => expect(requests.at(-1)).toContain('edit'));
  stores.chats.getState().setChat(toChat(stateOf(2, 2, { memberRev: 1, status: 'blocked' })));
  refusal.resolve(failure(403, 'partner_blocked'));
  await until(() => expect(told).toEqual(['edit partner_blocked']));
  expect(draft()).toEqual({ text: '', attachments: [] });
});

test('an unfinished edit comes before the rest of the draft, and sends nothing without a change', async () => {
  serve(2);
  await actions.open('room');
  stores.drafts.getState().change('room', { text: 'the next message' });
  actions.startReply(createMessage(1));
  const { replyTo } = draft();
  actions.startEdit(createMessage(2));
  writeEdit('half');
  // Neither another start nor leaving the chatroom loses what is written.
  actions.startEdit(createMessage(2));
  actions.leave('room');
  expect(draft()).toMatchObject({ text: 'the next message', editing: { text: 'half' } });
  const bodies: unknown[] = [];
  respond = async (request) => {
    bodies.push(await request.json());
    return Response.json({ ...createMessage(2), content: 'half', rev: 3 });
  };
  sendDraft('room');
  expect(draft()).toMatchObject({ text: 'the next message', replyTo });
  expect(draft().editing).toBeUndefined();
  await until(() => expect(waiting()).toEqual([]));
  actions.startEdit({ ...createMessage(2), content: 'half' });
  writeEdit('half\n\n');
  sendDraft('room');
  actions.startEdit(createMessage(1));
  actions.leave('room');
  expect([draft().editing, waiting()]).toEqual([undefined, []]);
  sendDraft('room');
  expect(draft()).toEqual({ text: '', attachments: [] });
  await until(() => expect(bodies).toHaveLength(2));
  expect(bodies).toMatchObject([
    { messageId: 'm2', content: 'half' },
    { content: 'the next message', replyTo: 'm1' },
  ]);
});

test('a deleted message takes the edit of it along', async () => {
  serve(2);
  await actions.open('room');
  actions.startEdit(createMessage(2));
  writeEdit('half');
  respond = () => new Promise(() => undefined);
  actions.remove(createMessage(1));
  expect(draft().editing).toBeDefined();
  actions.remove(createMessage(2));
  expect(draft()).toEqual({ text: '', attachments: [] });
});

test('keeps an edit until the server has accepted it, whatever responds before', async () => {
  serve(2);
  await actions.open('room');
  const responses = [
    Response.json({ ok: true }),
    new Response(null, { status: 204 }),
    new Response('Sign in to the Wi-Fi', { status: 511 }),
    Response.json({ ...createMessage(2), content: 'new', rev: 3 }),
  ];
  respond = () => responses.shift() ?? failure(500, 'internal');
  actions.edit(createMessage(2), 'new');
  await until(() => expect(waiting()).toEqual([]));
  expect(responses).toEqual([]);
  expect(room()).toMatchObject({ rev: 3, messages: [{}, { content: 'new', rev: 3 }] });
});

test('sends only the latest of several edits, and a deletion after them', async () => {
  serve(3);
  await actions.open('room');
  const sent: unknown[] = [];
  const first = Promise.withResolvers<void>();
  respond = async (request) => {
    sent.push([request.method, await request.json()]);
    await first.promise;
    return request.method === 'PATCH'
      ? Response.json({ ...createMessage(2), rev: 3 + sent.length })
      : Response.json({ _id: 'm2', chatroom: 'room', seq: 2, rev: 9 });
  };
  actions.edit(createMessage(2), 'one');
  await until(() => expect(sent).toHaveLength(1));
  actions.edit(createMessage(2), 'two');
  actions.edit(createMessage(2), 'three');
  actions.remove(createMessage(2));
  expect(seqs()).toEqual([1, 3]);
  first.resolve();
  await until(() => expect(waiting()).toEqual([]));
  expect(sent).toEqual([
    ['PATCH', { messageId: 'm2', content: 'one' }],
    ['PATCH', { messageId: 'm2', content: 'three' }],
    ['DELETE', { messageId: 'm2' }],
  ]);
  expect(seqs()).toEqual([1, 3]);
});

test('hides a deleted message immediately, also in the list', async () => {
  serve(2);
  stores.chats.getState().setFetched([toChat(stateOf(2))], new Map());
  await actions.open('room');
  const response = Promise.withResolvers<Response>();
  respond = () => response.promise;
  actions.remove(createMessage(2));
  expect(seqs()).toEqual([1]);
  expect(listed()?.last).toMatchObject({ content: 'text 1', seq: 1 });
  response.resolve(Response.json({ _id: 'm2', chatroom: 'room', seq: 2, rev: 3 }));
  await until(() => expect(waiting()).toEqual([]));
  expect(seqs()).toEqual([1]);
  expect(listed()?.last).toMatchObject({ content: 'text 1', seq: 1 });
});

test('tells once of several refused deletions, when none waits', async () => {
  serve(5);
  await actions.open('room');
  let responses = 0;
  respond = () => {
    responses += 1;
    return responses % 2 === 0 ? failure(404, 'message_not_found') : failure(403, 'not_sender');
  };
  for (const seq of [1, 2, 3, 4]) actions.remove(createMessage(seq));
  expect(seqs()).toEqual([5]);
  await until(() => expect(told).toEqual(['deletion not_sender 2']));
  expect(seqs()).toHaveLength(3);
  respond = () => failure(403, 'not_sender');
  actions.remove(createMessage(5));
  await until(() => expect(told).toEqual(['deletion not_sender 2', 'deletion not_sender']));
});

test('treats a message as deleted that another device has deleted, and shows a refused deletion', async () => {
  serve(2);
  await actions.open('room');
  respond = () => failure(404, 'message_not_found');
  actions.remove(createMessage(2));
  await until(() => expect(waiting()).toEqual([]));
  expect(seqs()).toEqual([1]);
  respond = () => failure(500, 'internal');
  actions.remove(createMessage(1));
  expect(seqs()).toEqual([]);
  await until(() => expect(seqs()).toEqual([1]));
  expect(told).toEqual(['deletion internal']);
});

test('accepts a request immediately, also while the server does not respond', async () => {
  respond = () => Response.json(page(3, 1, undefined, { status: 'request' }));
  stores.chats.getState().setFetched([toChat(stateOf(3, 1, { status: 'request' }))], new Map());
  await actions.open('room');
  const statuses = () => [room()?.status, listed()?.status];
  expect(statuses()).toEqual(['request', 'request']);
  const failures = [failure(503, 'unavailable'), failure(429, 'rate_limited')];
  respond = () => failures.shift() ?? changed(3, { memberRev: 1, status: 'accepted' });
  actions.accept('room');
  expect(statuses()).toEqual(['accepted', 'accepted']);
  await until(() => expect(waiting()).toEqual([]));
  expect(statuses()).toEqual(['accepted', 'accepted']);
  expect(chat()?.status).toBe('accepted');
  expect(requestList).not.toHaveBeenCalled();
});

test('fetches the state of a chat again whose change the server refuses', async () => {
  respond = () => Response.json(page(3, 1, undefined, { status: 'request' }));
  await actions.open('room');
  respond = (request) =>
    request.url.endsWith('/changes')
      ? unchanged(3, { memberRev: 1, status: 'accepted' })
      : failure(409, 'already_accepted');
  actions.decline('room');
  expect(entry()).toEqual({ status: 'missing', isHidden: true, isDecided: true });
  await until(() => expect([room()?.status, chat()?.status]).toEqual(['accepted', 'accepted']));
  expect(told).toEqual(['status already_accepted']);
  expect(requestList).toHaveBeenCalledOnce();
});

test('shows the state of a chat as in a restored backup', async () => {
  respond = () => Response.json(page(3, 3, undefined, { memberRev: 2 }));
  await actions.open('room');
  const request = { memberRev: 1, status: 'request' } as const;
  respond = ({ method }) =>
    method === 'POST' ? unchanged(3, request) : Response.json(page(3, 3, undefined, request));
  const { chats } = stores;
  chats.getState().setFetched([toChat(stateOf(3, 3, request))], getKnownChats(chats.getState()));
  await chatroomLoader.resync();
  expect(room()).toMatchObject(request);
  expect(chat()).toMatchObject(request);
});

test('a page that is older than what arrived since does not undo it', async () => {
  const outdated = Promise.withResolvers<void>();
  respond = async () => {
    await outdated.promise;
    return Response.json(page(3, 1, undefined, { status: 'request' }));
  };
  const opened = actions.open('room');
  await until(() => expect(requests).toHaveLength(1));
  const state = stateOf(3, 3, { memberRev: 2, settings: { isPinned: true } });
  stores.chats.getState().setChat(toChat(state));
  outdated.resolve();
  await opened;
  expect(room()).toMatchObject({ status: 'accepted', memberRev: 2, readSeq: 3, unread: 0 });
  expect(chat()).toEqual(toChat(state));
});

test('does not show a chatroom that was blocked while it was loading', async () => {
  const outdated = Promise.withResolvers<void>();
  stores.chats.getState().setFetched([toChat(stateOf(3))], new Map());
  respond = async () => {
    await outdated.promise;
    return Response.json(page(3, 3));
  };
  const opened = actions.open('room');
  await until(() => expect(requests).toHaveLength(1));
  stores.chats.getState().setChat(toChat(stateOf(3, 3, { memberRev: 1, status: 'blocked' })));
  outdated.resolve();
  await opened;
  expect(entry()).toEqual({ status: 'missing', isHidden: true });
});

test('forgets a blocked chat with everything unsent, and shows it again once it is unblocked', async () => {
  serve(3);
  await actions.open('room');
  const { outbox, drafts, readingPositions } = stores;
  drafts.getState().change('room', { text: 'half a sentence' });
  readingPositions.getState().setPosition('room', { key: 'm1', seq: 1, offset: 0 });
  const unsent = {
    content: 'hi',
    createdAt: '2025-03-20T09:00:00.000Z',
    state: 'failed',
  } as const;
  outbox.getState().add({ ...unsent, clientId: '1', to: { chatroomId: 'room' } });
  outbox.getState().add({ ...unsent, clientId: '2', to: { partnerName: 'bob' } });
  outbox.getState().add({ ...unsent, clientId: '3', to: { chatroomId: 'other' } });
  const response = Promise.withResolvers<Response>();
  respond = () => response.promise;
  actions.block('room');
  expect(entry()).toEqual({ status: 'missing', isHidden: true, isDecided: true });
  expect(listed()).toBeUndefined();
  response.resolve(changed(3, { memberRev: 1, status: 'blocked' }));
  await until(() => expect(waiting()).toEqual([]));
  expect(entry()).toEqual({ status: 'missing', isHidden: true });
  expect(outbox.getState().entries).toMatchObject([{ clientId: '3' }]);
  expect(drafts.getState().drafts).toEqual({});
  expect(readingPositions.getState().positions.size).toBe(0);

  respond = () => Response.json(page(3, 3, undefined, { memberRev: 1, status: 'blocked' }));
  await actions.open('room');
  expect(room()?.status).toBe('blocked');
  respond = (request) =>
    request.url.endsWith('/changes')
      ? unchanged(3, { memberRev: 2 })
      : changed(3, { memberRev: 2, status: 'accepted' });
  actions.unblock('room');
  expect(room()?.status).toBe('accepted');
  // The partner may have deleted messages in the meantime.
  await until(() => expect(requests.at(-1)).toBe('POST /api/chatrooms/changes'));
});

test('keeps a blocked chat open that was first shown from a copy from before the block', async () => {
  serve(3);
  await actions.open('room');
  stored = room();
  stores.rooms.getState().removeEntry('room');
  stores.drafts.getState().change('room', { text: 'half a sentence' });
  respond = () => unchanged(3, { memberRev: 1, status: 'blocked' });
  await actions.open('room');
  expect(entry()).toMatchObject({
    status: 'ready',
    isFromCopy: false,
    room: { status: 'blocked' },
  });
  expect(stores.drafts.getState().drafts).toEqual({});
});

describe('a chat that was blocked here before a server was restored from a backup', () => {
  const blocked = { memberRev: 2, status: 'blocked' } as const;

  beforeEach(() => {
    stores.chats.getState().setFetched([], new Map());
    stores.chats.getState().setChat(toChat(stateOf(9, 9, { ...blocked, memberRev: 4 })));
    chatroomLoader.recordRev('room', 9);
  });

  test('is not loaded again and again', async () => {
    respond = ({ method }) => {
      if (requests.length > 50) return failure(500, 'internal_error');
      return method === 'POST'
        ? unchanged(3, blocked)
        : Response.json(page(3, 3, undefined, blocked));
    };
    await actions.open('room');
    await until(() => expect(resyncs()).toBe(1));
    await chatroomLoader.resync('room');
    expect(requests.length).toBeLessThan(10);
    expect(room()).toMatchObject({ ...blocked, rev: 3 });
    expect(chat()).toEqual(toChat(stateOf(3, 3, blocked)));
  });

  test('is listed once it is unblocked', async () => {
    respond = () => changed(3, { memberRev: 3 });
    actions.unblock('room');
    await until(() => expect(waiting()).toEqual([]));
    expect(stores.chats.getState().chats).toEqual([toChat(stateOf(3, 3, { memberRev: 3 }))]);
  });
});

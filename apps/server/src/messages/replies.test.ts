import { randomUUID } from 'node:crypto';
import { LIMITS, type Message, type Quote } from '@parley/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  changeConsent,
  changesSince,
  createPair,
  beginChat,
  readChatroom,
  recordEvents,
  send,
} from '../../test/chatting.ts';
import { startServer, type TestServer, type TestUser } from '../../test/harness.ts';
import { sample } from '../../test/samples.ts';
import { upload } from '../../test/uploading.ts';

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let room: string;
let original: Message;
beforeEach(async () => {
  server = await startServer();
  ({ ada, bob, room } = await createPair(server));
  original = await send(ada, room, 'Shall we?');
});
afterEach(() => server.close());

async function reply(
  user: TestUser,
  to: string,
  content = 'Yes',
  others: object = {},
): Promise<Message> {
  const body = { chatroom: room, content, replyTo: to, ...others };
  const response = await user.request('POST', '/api/messages/send', body);
  expect(response.status).toBe(201);
  return response.body;
}

/** Returns the quote of a message as a user sees it. */
async function quoteFor(user: TestUser, { _id }: Message): Promise<Quote | undefined> {
  const { chatroomMessages } = await readChatroom(user, room);
  const found = chatroomMessages.find((message) => message._id === _id);
  expect(found).toBeDefined();
  return found?.replyTo;
}

/** Returns what a message in the database tells about its origin. */
function storedReferences({ _id }: Message) {
  return server.ctx.storage.read((db) =>
    db
      .selectFrom('messages')
      .select(['reply_to_id', 'album_id', 'is_forwarded'])
      .where('id', '=', _id)
      .executeTakeFirst(),
  );
}

const deletedQuote = ({ _id, seq }: Message): Quote => ({
  messageId: _id,
  seq,
  username: '',
  kind: 'text',
  content: '',
  isDeleted: true,
});

describe('a reply', () => {
  test('quotes the message in the response, the event, the history and a resync', async () => {
    const events = recordEvents(server);
    const sent = await reply(bob, original._id);
    const quote = {
      messageId: original._id,
      seq: original.seq,
      username: 'Ada',
      kind: 'text',
      content: 'Shall we?',
    };
    expect(sent.replyTo).toEqual(quote);
    expect(events.filter(({ type }) => type === 'message-sent')).toEqual([
      { type: 'message-sent', message: sent, members: [bob.id, ada.id] },
    ]);
    expect(await quoteFor(ada, sent)).toEqual(quote);
    expect(await quoteFor(bob, sent)).toEqual(quote);
    const { rooms } = await changesSince(ada, { [room]: original.rev });
    expect(rooms).toMatchObject([{ updated: [sent] }]);
  });

  test('keeps the quote when it is retried, edited and reacted to', async () => {
    const clientId = randomUUID();
    const sent = await reply(bob, original._id, 'Yes', { clientId });
    const body = { chatroom: room, content: 'Yes', replyTo: original._id, clientId };
    expect(await bob.request('POST', '/api/messages/send', body)).toMatchObject({
      status: 200,
      body: sent,
    });
    const edit = { messageId: sent._id, content: 'Yes!' };
    const edited = (await bob.request('PATCH', '/api/messages/edit', edit)).body;
    expect(edited.replyTo).toEqual(sent.replyTo);
    expect((await bob.request('PATCH', '/api/messages/edit', edit)).body).toEqual(edited);
    const reaction = { messageId: sent._id, emoji: '👍', isOn: true };
    const reacted = (await ada.request('POST', '/api/messages/react', reaction)).body;
    expect(reacted.replyTo).toEqual(sent.replyTo);
  });

  test('quotes the current text of the message, shortened', async () => {
    const sent = await reply(bob, original._id);
    const content = '😀'.repeat(LIMITS.quoteExcerpt + 10);
    await ada.request('PATCH', '/api/messages/edit', { messageId: original._id, content });
    expect((await quoteFor(bob, sent))?.content).toBe('😀'.repeat(LIMITS.quoteExcerpt));
  });

  test('quotes the URL of an image, and nothing of a recording', async () => {
    const image = (await upload(ada, 'image', sample('picture.png'))).body.url;
    const audio = (await upload(ada, 'audio', sample('voice.webm'))).body.url;
    const toImage = await reply(bob, (await send(ada, room, image))._id);
    const toAudio = await reply(bob, (await send(ada, room, audio))._id);
    expect(toImage.replyTo).toMatchObject({ kind: 'image', content: image });
    expect(toAudio.replyTo).toMatchObject({ kind: 'audio', content: '' });
    await server.ctx.storage.write(({ trx }) =>
      trx.updateTable('media').set({ is_blocked: 1 }).where('kind', '=', 'image').execute(),
    );
    expect(await quoteFor(ada, toImage)).toMatchObject({ kind: 'image', content: '' });
  });

  test('may be an image, and may quote an own message', async () => {
    const { url } = (await upload(ada, 'image', sample('picture.png'))).body;
    const sent = await reply(ada, original._id, url, { kind: 'image' });
    expect(sent).toMatchObject({ kind: 'image', replyTo: { content: 'Shall we?' } });
  });
});

describe('a deleted message', () => {
  test('leaves a quote without its content', async () => {
    const sent = await reply(bob, original._id);
    await ada.request('DELETE', '/api/messages/delete', { messageId: original._id });
    expect(await quoteFor(ada, sent)).toEqual(deletedQuote(original));
    expect(await quoteFor(bob, sent)).toEqual(deletedQuote(original));
  });

  test('can still be replied to, so that no reply is lost', async () => {
    await ada.request('DELETE', '/api/messages/delete', { messageId: original._id });
    expect((await reply(bob, original._id)).replyTo).toEqual(deletedQuote(original));
  });

  test('does not keep what it replied to, its album or whether it was forwarded', async () => {
    const albumId = randomUUID();
    const sent = await reply(bob, original._id, 'Look', { albumId, isForwarded: true });
    const kept = { reply_to_id: original._id, album_id: albumId, is_forwarded: 1 };
    expect(await storedReferences(sent)).toEqual(kept);
    await bob.request('DELETE', '/api/messages/delete', { messageId: sent._id });
    const none = { reply_to_id: null, album_id: null, is_forwarded: 0 };
    expect(await storedReferences(sent)).toEqual(none);
  });

  test('includes those of a deleted account', async () => {
    const sent = await reply(bob, original._id);
    await ada.request('DELETE', '/api/users/delete');
    expect(await quoteFor(bob, sent)).toEqual(deletedQuote(original));
  });
});

describe('a message that cannot be replied to', () => {
  test('is ignored if it does not exist or is in another chatroom', async () => {
    const carol = await server.signIn('Carol');
    const elsewhere = await send(carol, await beginChat(carol, bob), 'Elsewhere');
    for (const id of [randomUUID(), elsewhere._id]) {
      const sent = await reply(bob, id);
      expect(sent.replyTo).toBeUndefined();
      expect(await storedReferences(sent)).toMatchObject({ reply_to_id: null });
    }
    // Carol does not exist in the chatroom, so that Ada learns nothing about the message.
    expect((await reply(ada, elsewhere._id)).replyTo).toBeUndefined();
  });

  test('is ignored if the user cannot see it', async () => {
    await changeConsent(bob, room, 'block');
    const withheld = await send(ada, room, 'Are you there?');
    await changeConsent(bob, room, 'unblock');
    expect((await reply(bob, withheld._id)).replyTo).toBeUndefined();
  });
});

describe('a quote of a message that is withheld from the partner', () => {
  test('is shown to its sender only, and as deleted to the partner', async () => {
    await changeConsent(bob, room, 'block');
    const withheld = await send(ada, room, 'Are you there?');
    await changeConsent(bob, room, 'unblock');
    const events = recordEvents(server);
    const sent = await reply(ada, withheld._id, 'Still waiting');
    expect(sent.replyTo).toMatchObject({ username: 'Ada', content: 'Are you there?' });
    const hidden = { ...sent, replyTo: deletedQuote(withheld) };
    expect(events.filter(({ type }) => type === 'message-sent')).toEqual([
      { type: 'message-sent', message: sent, members: [ada.id] },
      { type: 'message-sent', message: hidden, members: [bob.id] },
    ]);
    expect(await quoteFor(ada, sent)).toEqual(sent.replyTo);
    expect(await quoteFor(bob, sent)).toEqual(hidden.replyTo);
    const reaction = { messageId: sent._id, emoji: '👍', isOn: true };
    const reacted = (await bob.request('POST', '/api/messages/react', reaction)).body;
    expect(reacted.replyTo).toEqual(hidden.replyTo);
  });

  test('is shown as deleted once the partner has deleted the request with it', async () => {
    const carol = await server.signIn('Carol');
    room = await beginChat(ada, carol, 'Hello Carol', { isRequest: true });
    const { chatroomMessages } = await readChatroom(ada, room);
    const [first] = chatroomMessages;
    if (first === undefined) throw new Error('no message');
    await changeConsent(carol, room, 'decline');
    const sent = await reply(ada, first._id, 'Please');
    expect(await quoteFor(ada, sent)).toMatchObject({ content: 'Hello Carol' });
    expect(await quoteFor(carol, sent)).toEqual(deletedQuote(first));
  });
});

describe('a page', () => {
  test('around a message has messages on both sides, and pages join on both ends', async () => {
    for (let i = 3; i <= 20; i += 1) await send(ada, room, `message ${i}`);
    const seqs = async (query: string) => {
      const page = await readChatroom(bob, room, query);
      const { hasMore, hasNewer } = page;
      return { seqs: page.chatroomMessages.map(({ seq }) => seq), hasMore, hasNewer };
    };
    expect(await seqs('?around=10&limit=5')).toEqual({
      seqs: [8, 9, 10, 11, 12],
      hasMore: true,
      hasNewer: true,
    });
    expect(await seqs('?after=12&limit=4')).toEqual({
      seqs: [13, 14, 15, 16],
      hasMore: true,
      hasNewer: true,
    });
    expect(await seqs('?after=16&limit=4')).toEqual({
      seqs: [17, 18, 19, 20],
      hasMore: true,
      hasNewer: undefined,
    });
    expect(await seqs('?around=2&limit=6')).toEqual({
      seqs: [1, 2, 3, 4],
      hasMore: false,
      hasNewer: true,
    });
    expect(await seqs('?around=99&limit=2')).toEqual({
      seqs: [19, 20],
      hasMore: true,
      hasNewer: undefined,
    });
    expect(await seqs('?after=0&limit=1')).toMatchObject({ seqs: [1], hasMore: false });
    expect(await seqs(`?after=${'9'.repeat(15)}`)).toMatchObject({ seqs: [], hasMore: true });
  });

  test('around a message contains none that the user cannot see', async () => {
    await changeConsent(bob, room, 'block');
    const withheld = await send(ada, room, 'Are you there?');
    await changeConsent(bob, room, 'unblock');
    await send(ada, room, 'Hello again');
    for (const query of [`?around=${withheld.seq}`, '?after=0']) {
      const { chatroomMessages } = await readChatroom(bob, room, query);
      expect(chatroomMessages.map(({ seq }) => seq)).toEqual([1, 2, 4]);
    }
  });
});

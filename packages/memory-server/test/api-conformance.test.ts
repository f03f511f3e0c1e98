import { randomUUID } from 'node:crypto';
import { encodeBmp, encodePng, makeWav, wavBytes } from '@parley/testing';
import { closeIdleServers } from '@parley/server/test-server';
import { afterAll, expect, test } from 'vitest';
import { createMemorySite, startRealSite } from './api-site.ts';
import { record, type Actor, type Cast } from './transcript.ts';

afterAll(closeIdleServers);

/** Plays a scenario on both servers, which must answer and send the same. */
function conformance(title: string, play: (cast: Cast) => Promise<void>): void {
  test(title, async () => {
    const real = await startRealSite();
    const memory = createMemorySite();
    try {
      const expected = await record(real, play);
      expect(expected.responses.length).toBeGreaterThan(0);
      expect(await record(memory, play)).toEqual(expected);
    } finally {
      await real.close();
    }
  });
}

/** Two users, the first of whom has written to the second, who has accepted. */
async function chatting(cast: Cast): Promise<{ ann: Actor; ben: Actor; chatroom: string }> {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const body = { partnerName: 'Ben', content: 'first' };
  const { chatroomId: chatroom } = await ann.call('createChatroom', { body });
  await ben.call('acceptChat', { params: { id: chatroom } });
  return { ann, ben, chatroom };
}

/** Two users, the first of whom has sent a quiet request to the second. */
async function requesting(cast: Cast): Promise<{ ann: Actor; ben: Actor; chatroom: string }> {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  await ben.call('changeSettings', { body: { whoMayWrite: 'requests' } });
  const body = { partnerName: 'Ben', content: 'first' };
  const { chatroomId: chatroom } = await ann.call('createChatroom', { body });
  return { ann, ben, chatroom };
}

const send = (actor: Actor, chatroom: string, content: string, more = {}) =>
  actor.call('sendMessage', { body: { chatroom, content, ...more } });

async function look(chatroom: string, ...actors: Actor[]): Promise<void> {
  for (const actor of actors) {
    await actor.call('listChats');
    await actor.call('getChatroom', { params: { id: chatroom } });
    await actor.call('listChanges', { body: { since: { [chatroom]: 0 } } });
  }
}

conformance('a first message is a request until it is accepted', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const find = (actor: Actor, username: string) => actor.call('findUser', { body: { username } });
  await find(ann, ' bEN ');
  await find(ann, 'ann');
  await find(ann, 'nobody');
  const first = { partnerName: 'ben', content: 'Hello\n\n  \nBen', clientId: randomUUID() };
  const { chatroomId: chatroom } = await ann.call('createChatroom', { body: first });
  await ann.call('createChatroom', { body: first });
  await ann.call('createChatroom', { body: { partnerName: 'Ann', content: 'me' } });
  await ann.call('createChatroom', { body: { partnerName: 'nobody', content: 'you' } });
  await ann.call('createChatroom', { body: { partnerName: 'Ben', content: ' \n ' } });
  await ann.call('createChatroom', { body: { partnerName: 'Ben', content: '\u200b' } });
  await find(ann, 'Ben');
  await find(ben, 'Ann');
  await look(chatroom, ann, ben);
  await ben.call('reportDelivered', { body: { rooms: { [chatroom]: 1, [randomUUID()]: 7 } } });
  await ben.call('markAsRead', { params: { id: chatroom } });
  await send(ann, chatroom, 'second');
  await ben.call('reactToMessage', { body: { messageId: randomUUID(), emoji: '👍', isOn: true } });
  await ben.call('acceptChat', { params: { id: chatroom } });
  await ben.call('acceptChat', { params: { id: chatroom } });
  await ben.call('declineRequest', { params: { id: chatroom } });
  await look(chatroom, ann, ben);
  await ben.call('reportDelivered', { body: { rooms: { [chatroom]: 2 } } });
  await ben.call('markAsRead', { params: { id: chatroom }, body: { seq: 1 } });
  await ben.call('markAsRead', { params: { id: chatroom }, body: { seq: 1 } });
  await ben.call('markAsRead', { params: { id: chatroom } });
  await ben.call('markAsRead', { params: { id: randomUUID() } });
  await look(chatroom, ann, ben);
});

conformance('an answer accepts a request', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const body = { partnerName: 'Ben', content: 'first' };
  const { chatroomId: chatroom } = await ann.call('createChatroom', { body });
  await ben.call('markAsRead', { params: { id: chatroom } });
  await send(ben, chatroom, 'answer');
  await look(chatroom, ann, ben);
});

conformance('messages are sent once, edited and deleted by their sender', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const clientId = randomUUID();
  const { _id: id } = await send(ann, chatroom, 'once', { clientId });
  await send(ann, chatroom, 'once', { clientId });
  await send(ben, chatroom, '');
  await send(ben, chatroom, 'x'.repeat(10_001));
  await send(ben, randomUUID(), 'nowhere');
  await send(ben, chatroom, 'image', { kind: 'image' });
  const edit = (actor: Actor, messageId: string, content: string) =>
    actor.call('editMessage', { body: { messageId, content } });
  await edit(ann, id, 'twice');
  await edit(ann, id, 'twice');
  await edit(ben, id, 'mine');
  await edit(ann, randomUUID(), 'nothing');
  const { _id: answer } = await send(ben, chatroom, 'answer', { replyTo: id, isForwarded: true });
  await edit(ben, answer, 'my own words');
  await send(ben, chatroom, 'album', { albumId: randomUUID(), replyTo: randomUUID() });
  await ben.call('deleteMessage', { body: { messageId: id } });
  await look(chatroom, ann, ben);
  await ann.call('deleteMessage', { body: { messageId: id } });
  await ann.call('deleteMessage', { body: { messageId: id } });
  await send(ann, chatroom, 'once', { clientId });
  await edit(ann, id, 'gone');
  await send(ann, chatroom, 'about a deleted message', { replyTo: id });
  await look(chatroom, ann, ben);
});

conformance('reactions are told and taken back', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const { _id: messageId } = await send(ann, chatroom, 'react to this');
  const react = (actor: Actor, emoji: string, isOn = true) =>
    actor.call('reactToMessage', { body: { messageId, emoji, isOn } });
  await react(ben, '👍');
  await react(ben, '👍');
  await react(ann, '👍');
  await react(ben, ':circassia:');
  await react(ben, 'a');
  await look(chatroom, ann, ben);
  await react(ben, ':circassia:', false);
  await react(ben, '😀', false);
  await look(chatroom, ann);
  await react(ben, '🎉');
  await send(ben, chatroom, 'newer');
  await look(chatroom, ann, ben);
  await ann.call('deleteMessage', { body: { messageId } });
  await look(chatroom, ann, ben);
});

conformance('a declined request and a block hide what follows', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const first = { partnerName: 'Ben', content: 'first' };
  const { chatroomId: chatroom } = await ann.call('createChatroom', { body: first });
  const change = (actor: Actor, name: 'declineRequest' | 'blockPartner' | 'unblockPartner') =>
    actor.call(name, { params: { id: chatroom } });
  await change(ben, 'declineRequest');
  await change(ben, 'declineRequest');
  await look(chatroom, ann, ben);
  await ben.call('acceptChat', { params: { id: chatroom } });
  await send(ann, chatroom, 'second');
  await look(chatroom, ann, ben);
  await send(ben, chatroom, 'answer');
  const { _id: before } = await send(ann, chatroom, 'before the block');
  await change(ben, 'blockPartner');
  await change(ben, 'blockPartner');
  await ben.call('listBlocked');
  const { _id: withheld } = await send(ann, chatroom, 'withheld');
  await ann.call('editMessage', { body: { messageId: before, content: 'edited under the block' } });
  await ann.call('reactToMessage', { body: { messageId: withheld, emoji: '👍', isOn: true } });
  await send(ben, chatroom, 'to whom I block');
  await ben.call('findUser', { body: { username: 'Ann' } });
  await ben.call('markAsRead', { params: { id: chatroom } });
  await look(chatroom, ann, ben);
  await change(ben, 'unblockPartner');
  await change(ben, 'unblockPartner');
  await send(ann, chatroom, 'after the block', { replyTo: withheld });
  await ben.call('markAsRead', { params: { id: chatroom } });
  await look(chatroom, ann, ben);
});

conformance('who may write, and who is found', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const start = { body: { partnerName: 'Ben', content: 'hello' } };
  for (const whoMayWrite of ['invited', 'nobody', 'requests', 'everyone']) {
    await ben.call('changeSettings', { body: { whoMayWrite } });
    await ann.call('findUser', { body: { username: 'Ben' } });
  }
  await ben.call('changeSettings', { body: { isDiscoverable: false } });
  await ann.call('findUser', { body: { username: 'Ben' } });
  await ann.call('createChatroom', start);
  await ben.call('changeSettings', { body: { isDiscoverable: true, whoMayWrite: 'nobody' } });
  await ann.call('createChatroom', start);
  await ben.call('changeSettings', { body: { whoMayWrite: 'everyone' } });
  const { chatroomId: chatroom } = await ann.call('createChatroom', start);
  await ben.call('changeSettings', { body: { whoMayWrite: 'nobody', sharesReceipts: false } });
  await ben.call('declineRequest', { params: { id: chatroom } });
  await send(ann, chatroom, 'withheld');
  await look(chatroom, ann, ben);
  await ben.call('changeSettings', { body: {} });
  await ben.call('getCurrentUser');
});

conformance('a first message is a quiet request or a chat like any other', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const carl = await cast.join('Carl');
  const start = (partnerName: string) => ({ body: { partnerName, content: 'hello' } });
  const change = (actor: typeof ben, name: 'acceptChat' | 'declineRequest', chatroom: string) =>
    actor.call(name, { params: { id: chatroom } });

  const { chatroomId: open } = await ann.call('createChatroom', start('Ben'));
  await look(open, ann, ben);
  const settings = { params: { id: open }, body: { isMarkedUnread: true } };
  await ben.call('changeChatSettings', settings);
  await change(ben, 'acceptChat', open);
  await look(open, ann, ben);

  await carl.call('changeSettings', { body: { whoMayWrite: 'requests' } });
  const { chatroomId: quiet } = await ann.call('createChatroom', start('Carl'));
  await look(quiet, ann, carl);
  await carl.call('changeChatSettings', { ...settings, params: { id: quiet } });
  await change(carl, 'declineRequest', quiet);
  await look(quiet, ann);
  await send(ann, quiet, 'once more');
  await look(quiet, ann, carl);
  await carl.call('changeSettings', { body: { whoMayWrite: 'nobody' } });
  await send(ann, quiet, 'quiet as before');
  await look(quiet, carl);
  await carl.call('changeSettings', { body: { whoMayWrite: 'everyone' } });
  await send(ann, quiet, 'like any other');
  await look(quiet, ann, carl);
  await carl.call('changeSettings', { body: { whoMayWrite: 'requests' } });
  await send(ann, quiet, 'quiet again');
  await carl.call('findUser', { body: { username: 'Ann' } });
  await carl.call('findUser', { body: { username: 'Ann' } });
  await look(quiet, ann, carl);
});

conformance('a user sets chats for themselves only', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const set = (body: object) => ben.call('changeChatSettings', { params: { id: chatroom }, body });
  await set({ isPinned: true });
  await set({ isPinned: true });
  await set({ isPinned: true, isArchived: true });
  await set({ isArchived: true });
  await look(chatroom, ann, ben);
  await send(ann, chatroom, 'takes it out of the archive');
  await look(chatroom, ben);
  await set({ mutedUntil: '2200-01-01T00:00:00.000Z', isArchived: true, isMarkedUnread: true });
  await send(ann, chatroom, 'muted');
  await look(chatroom, ben);
  await ben.call('markAsRead', { params: { id: chatroom } });
  await set({ mutedUntil: null, isArchived: false });
  await set({ mutedUntil: 'tomorrow' });
  await set({ isPinned: true });
  await ben.call('blockPartner', { params: { id: chatroom } });
  await set({ isPinned: true });
  await ben.call('unblockPartner', { params: { id: chatroom } });
  await look(chatroom, ann, ben);
});

conformance('a user sorts pinned chats', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const carl = await cast.join('Carl');
  const first = { partnerName: 'Ben', content: 'hello' };
  const { chatroomId: other } = await carl.call('createChatroom', { body: first });
  const pin = (id: string) =>
    ben.call('changeChatSettings', { params: { id }, body: { isPinned: true } });
  const order = (...chats: string[]) => ben.call('orderPinnedChats', { body: { chats } });
  await pin(other);
  await order(other, chatroom);
  await pin(chatroom);
  await ben.call('listChats');
  await order(other, chatroom);
  await ben.call('listChats');
  await order(chatroom);
  await order('nonsense');
  await order(randomUUID(), other, other);
  await order(...Array.from({ length: 6 }, () => other));
  await look(chatroom, ann, ben);
});

conformance('pages of a chatroom', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  for (let i = 2; i <= 12; i += 1) await send(i % 2 ? ann : ben, chatroom, `message ${i}`);
  for (const query of [
    { limit: 5 },
    { before: 4, limit: 5 },
    { before: 1 },
    { after: 3, limit: 4 },
    { after: 12 },
    { around: 6, limit: 4 },
    { around: 12, limit: 5 },
    { around: 1, limit: 3 },
    { limit: 0 },
    { before: 'x' },
  ]) {
    await ann.call('getChatroom', { params: { id: chatroom }, query });
  }
  await ann.call('listChanges', { body: { since: { [chatroom]: 9, [randomUUID()]: 0 } } });
  await ann.call('getChatroom', { params: { id: 'nonsense' } });
});

conformance('a search finds the messages that the user sees', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const carl = await cast.join('Carl');
  const other = { partnerName: 'Ann', content: 'Another ship' };
  const { chatroomId: request } = await carl.call('createChatroom', { body: other });
  const texts = ['Donaudampfschifffahrt', 'Ein Schiff in Köln', 'see https://parley.example/page'];
  for (const text of texts) await send(ben, chatroom, text);
  const { _id: edited } = await send(ann, chatroom, 'die Hauptstraße');
  const { _id: deleted } = await send(ann, chatroom, 'a sunken ship');
  await ann.call('editMessage', {
    body: { messageId: edited, content: 'die Hauptstraße, ein Schiff' },
  });
  await ann.call('deleteMessage', { body: { messageId: deleted } });
  const form = new FormData();
  form.append('image', new Blob([encodePng(3, 2, 'rgb', Buffer.alloc(2 * 10))]), 'file');
  const { url } = await ann.call('uploadImage', { form });
  await send(ann, chatroom, url);
  const find = (body: object, actor = ann) => actor.call('searchMessages', { body });
  for (const query of [
    'schiff',
    'SCHIFF ein',
    'koeln',
    'hauptstrasse',
    'ship',
    'sunken',
    'sh',
    '',
  ]) {
    await find({ query });
    await find({ query, chatroomId: chatroom });
  }
  for (const kind of ['image', 'audio', 'link', 'video']) await find({ kind });
  for (const from of ['me', 'partner']) await find({ from, query: 'schiff' });
  await find({ kind: 'image', query: 'schiff' });
  await find({ after: 4_000_000_000_000 });
  await find({ before: 4_000_000_000_000, query: 'schiff' });
  await find({ chatroomId: chatroom });
  await find({ chatroomId: randomUUID(), query: 'schiff' });
  await find({ order: 'oldest', query: 'schiff' });
  await find({ order: 'oldest', query: 'schiff', chatroomId: chatroom });
  await find({ query: 'schiff', chatroomId: chatroom }, carl);
  await find({ query: 'schiff', limit: 0 });
  await ann.call('blockPartner', { params: { id: chatroom } });
  await find({ query: 'schiff' });
  await find({ query: 'schiff', chatroomId: chatroom });
  await ann.call('declineRequest', { params: { id: request } });
  await find({ query: 'ship' });
  await find({ query: 'ship', chatroomId: request });
});

conformance('a search in a chatroom is continued', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  for (let i = 1; i <= 7; i += 1) await send(i % 2 ? ann : ben, chatroom, `number ${i}`);
  for (const order of ['newest', 'oldest']) {
    const search = { query: 'number', chatroomId: chatroom, order, limit: 3 };
    let { cursor } = await ann.call('searchMessages', { body: search });
    while (cursor !== undefined) {
      ({ cursor } = await ann.call('searchMessages', { body: { ...search, cursor } }));
    }
  }
});

conformance('an account from registration to deletion', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  await send(ann, chatroom, 'from Ann');
  const guest = cast.guest('guest');
  const email = 'eve@example.org';
  const register = (changes: object) =>
    guest.call('register', {
      body: { email, username: 'Eve', password: 'password', ...changes },
    });
  await register({ password: 'short' });
  await register({ username: 'E' });
  await register({ email: 'nowhere' });
  await register({ username: 'ann' });
  await register({});
  await register({});
  const logIn = (password: string) => guest.call('login', { body: { email, password } });
  await logIn('password');
  await logIn('another password');
  await guest.call('verify', { body: { email, key: '000000' } });
  const fullWidth = (key: string) =>
    key.replaceAll(/./g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0));
  await guest.call('verify', { body: { email, key: fullWidth(await cast.site.keyFor(email)) } });
  await guest.call('verify', { body: { email, key: '000000' } });
  await guest.call('resendKey', { body: { email } });
  await guest.call('getCurrentUser');
  await logIn('password');
  await guest.device.connect();
  await guest.call('getCurrentUser');
  await guest.call('changeLanguage', { body: { language: 'de' } });
  await guest.call('changeLanguage', { body: { language: 'xx' } });
  await guest.call('changeVolume', { body: { volume: 'loud' } });
  const change = (oldPassword: string) =>
    guest.call('changePassword', { body: { oldPassword, newPassword: 'new password' } });
  await change('wrong password');
  await change('password');
  await guest.call('createChatroom', { body: { partnerName: 'Ben', content: 'I am Eve' } });
  await guest.call('logout');
  await guest.call('clearBrowserCache');
  await guest.call('listChats');
  await logIn('password');
  await logIn('new password');
  await ann.call('deleteAccount');
  await ann.call('listChats');
  await look(chatroom, ben);
  await send(ben, chatroom, 'too late');
  await ben.call('findUser', { body: { username: 'Ann' } });
});

conformance('several registrations of one address', async (cast) => {
  const email = 'eve@example.org';
  const register = (username: string, address = email) =>
    cast.guest(username).call('register', {
      body: { email: address, username, password: `${username} secret` },
    });
  for (const username of ['Mallory', 'Eve', 'Eve', 'Zoe']) await register(username);
  await register('Eve', 'other@example.org');
  const guest = cast.guest('guest');
  for (const username of ['Mallory', 'Eve', 'Zoe', 'Nil']) {
    await guest.call('login', { body: { email, password: `${username} secret` } });
  }
  await guest.call('requestReset', { body: { email } });
  await guest.call('verify', { body: { email, key: '000000' } });
  // The newest one, whose mail may not have been sent yet.
  await guest.call('verify', { body: { email, key: await cast.site.keyFor(email, 'Zoe') } });
  await guest.call('login', { body: { email, password: 'Eve secret' } });
  await guest.call('login', { body: { email, password: 'Zoe secret' } });
  await register('Eve', 'other@example.org');
  await register('Dan');
});

conformance('an address in several forms', async (cast) => {
  const guest = cast.guest('guest');
  const body = { email: 'Eve@Straße.example', username: 'Eve', password: 'password' };
  await guest.call('register', { body });
  const key = await cast.site.keyFor('eve@xn--strae-oqa.example');
  await guest.call('verify', { body: { email: 'eve@STRAẞE.example.', key } });
  await guest.call('requestReset', { body: { email: 'eve@straße。example' } });
  await guest.call('requestReset', { body: { email: 'eve@strasse.example' } });
  await guest.call('register', { body: { ...body, email: 'eve@stra\u00adße.example' } });
  await guest.call('login', {
    body: { email: 'eve@XN--strae-oqa.example', password: body.password },
  });
  await guest.call('getCurrentUser');
});

conformance('the address of an account is changed and taken back', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const guest = cast.guest('guest');
  const password = 'password';
  const address = `${randomUUID()}@example.org`;
  const request = (actor: Actor, email: string, used = password) =>
    actor.call('requestEmailChange', { body: { email, password: used } });
  const confirm = (actor: Actor, email: string, key: string) =>
    actor.call('confirmEmailChange', { body: { email, key } });
  const restore = (key: string) => guest.call('restoreEmail', { body: { key } });
  const { usermail: former } = await ann.call('getCurrentUser');
  await request(ann, address, 'another password');
  await request(ann, 'ann');
  await request(ann, former);
  await confirm(ann, address, 'WRONG1');
  const canceled = `${randomUUID()}@example.org`;
  await request(ann, canceled);
  const canceledKey = await cast.site.keyFor(canceled);
  await ann.call('getCurrentUser');
  await ann.call('cancelEmailChange');
  await ann.call('getCurrentUser');
  await confirm(ann, canceled, canceledKey);
  await request(ann, address);
  await confirm(ann, 'other@example.org', await cast.site.keyFor(address));
  await confirm(ann, address, await cast.site.keyFor(address));
  await ann.call('getCurrentUser');
  await request(ben, address);
  await confirm(ben, address, 'WRONG1');
  await request(ben, former);
  const registration = { email: former, username: 'Otto', password };
  await guest.call('register', { body: registration });
  await guest.call('login', { body: { email: former, password } });
  const key = await cast.site.keyFor(former);
  await restore('ABCDEFGHJKLMNPQRSTUV');
  await restore(key.toLowerCase());
  await restore(key);
  await ann.call('getCurrentUser');
  await guest.call('login', { body: { email: former, password } });
  const newPw = 'a new password';
  let resetKey = key;
  while (resetKey === key) resetKey = await cast.site.keyFor(former);
  await guest.call('resetPassword', { body: { email: former, key: resetKey, newPw } });
  await guest.call('login', { body: { email: former, password: newPw } });
  await guest.call('register', { body: { ...registration, email: address } });
});

conformance('a reset ends the sessions of the account', async (cast) => {
  const guest = cast.guest('guest');
  const other = cast.guest('other');
  const email = 'eve@example.org';
  const account = { email, username: 'Eve', password: 'password' };
  await guest.call('register', { body: account });
  await guest.call('verify', { body: { email, key: await cast.site.keyFor(email) } });
  for (const device of [guest, other]) {
    await device.call('login', { body: { email, password: 'password' } });
    await device.device.connect();
  }
  await guest.call('listSessions');
  await guest.call('endOtherSessions');
  await other.call('getCurrentUser');
  await guest.call('endSession', { params: { id: randomUUID() } });
  await other.call('requestReset', { body: { email: 'nobody@example.org' } });
  const reset = (key: string) =>
    other.call('resetPassword', { body: { email, key, newPw: 'new password' } });
  await reset('00000000');
});

conformance('invitations', async (cast) => {
  const ann = await cast.join('Ann');
  const ben = await cast.join('Ben');
  const create = (body: object) => ann.call('createInvitation', { body });
  const once = await create({ isSingleUse: true, note: ' for  Ben ' });
  const many = await create({ isSingleUse: false, days: 3 });
  await create({ isSingleUse: true, days: 0 });
  await ann.call('listInvitations');
  const preview = (code: string) => ben.call('previewInvitation', { body: { code } });
  await preview(once.code);
  await preview('unknown');
  await ann.call('redeemInvitation', { body: { code: once.code } });
  const redeemed = await ben.call('redeemInvitation', { body: { code: once.code } });
  await ben.call('redeemInvitation', { body: { code: many.code } });
  await preview(once.code);
  await ann.call('revokeInvitation', { params: { id: many.id } });
  await ann.call('revokeInvitation', { params: { id: many.id } });
  await preview(many.code);
  await look(redeemed.chatroomId, ann, ben);
});

conformance('an invitation accepts a request', async (cast) => {
  const { ann, ben, chatroom } = await requesting(cast);
  await ben.call('markAsRead', { params: { id: chatroom } });
  const { code } = await ann.call('createInvitation', { body: { isSingleUse: true } });
  await ben.call('redeemInvitation', { body: { code } });
  await look(chatroom, ann, ben);
});

conformance('an inviter is told of an accepted invitation', async (cast) => {
  const ann = await cast.join('Ann');
  const { code } = await ann.call('createInvitation', { body: { isSingleUse: false } });
  const guest = cast.guest('Eve');
  const email = 'eve@example.org';
  await guest.call('register', {
    body: { email, username: 'Eve', password: 'password', invitation: code },
  });
  const key = await cast.site.keyFor(email);
  const { chatroomId } = await guest.call('verify', { body: { email, key } });
  await look(chatroomId, ann);
  await ann.call('markAsRead', { params: { id: chatroomId } });
  await ann.call('listChats');
  for (const blocker of ['Ann', 'Ben']) {
    const name = `${blocker}s-friend`;
    const ben = await cast.join(name);
    const { chatroomId: id } = await ann.call('createChatroom', {
      body: { partnerName: name, content: 'Hello' },
    });
    const actor = blocker === 'Ann' ? ann : ben;
    await actor.call('blockPartner', { params: { id } });
    await ben.call('redeemInvitation', { body: { code } });
    await actor.call('unblockPartner', { params: { id } });
    await look(id, ann, ben);
  }
});

conformance('a message that is sent again arrives as it did before', async (cast) => {
  const { ann, ben, chatroom } = await requesting(cast);
  const again = { clientId: randomUUID() };
  await send(ann, chatroom, 'second', again);
  await ben.call('changeSettings', { body: { whoMayWrite: 'everyone' } });
  await send(ann, chatroom, 'second', again);
  await look(chatroom, ann, ben);
  await ben.call('deleteAccount');
  await send(ann, chatroom, 'second', again);
});

conformance('images and recordings', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const upload = (name: 'image' | 'audio', file: Blob, peaks?: number[]) => {
    const form = new FormData();
    if (peaks) form.append('peaks', JSON.stringify(peaks));
    form.append(name, file, 'file');
    return ann.call(name === 'image' ? 'uploadImage' : 'uploadAudio', { form });
  };
  const png = new Blob([encodePng(3, 2, 'rgb', Buffer.alloc(2 * 10))]);
  const image = await upload('image', png);
  const audio = await upload('audio', new Blob([makeWav(wavBytes(1))]), [0, 50, 100]);
  const rows = [Buffer.from([0, 0, 255]), Buffer.from([255, 0, 0])];
  const bmp = encodeBmp({ width: 1, height: 2, bitsPerPixel: 24, rows });
  const converted = await upload('image', new Blob([bmp]));
  await upload('image', new Blob(['no image']));
  await upload('audio', new Blob([encodePng(1, 1, 'rgb', Buffer.alloc(4))]));
  const first = { partnerName: 'Ben', uploadId: (await upload('image', png)).id };
  await ann.call('createChatroom', { body: first });
  await ann.call('createChatroom', { body: first });
  await send(ann, chatroom, image.url.replace(/\.png$/, ''));
  const { _id: sent } = await send(ann, chatroom, image.url, { kind: 'image' });
  await send(ann, chatroom, image.url);
  const sendUpload = (body: object) =>
    ann.call('sendMessage', { body: { chatroom, clientId: randomUUID(), ...body } });
  await sendUpload({ uploadId: converted.id.toUpperCase(), kind: 'image' });
  await sendUpload({ uploadId: converted.id });
  await sendUpload({ uploadId: audio.id, kind: 'image' });
  await sendUpload({ uploadId: audio.id, content: 'listen' });
  await sendUpload({});
  await send(ann, chatroom, audio.url, { kind: 'audio' });
  await send(ben, chatroom, 'nice', { replyTo: sent });
  await ann.call('editMessage', { body: { messageId: sent, content: 'text' } });
  const file = new URL(image.url).pathname.split('/').at(-1) ?? '';
  await ben.call('getMedia', { params: { file } });
  await (await cast.join('Eve')).call('getMedia', { params: { file } });
  await ben.call('copyMedia', { body: { messageId: sent } });
  await look(chatroom, ann, ben);
  await ann.call('deleteMessage', { body: { messageId: sent } });
  await ben.call('getMedia', { params: { file } });
  await ben.call('copyMedia', { body: { messageId: sent } });
  await look(chatroom, ben);
});

conformance('exports', async (cast) => {
  const { ann, chatroom } = await chatting(cast);
  const eve = await cast.join('Eve');
  const create = (actor: Actor, body: object = {}) =>
    actor.call('createExport', { body: { language: 'en', timeZone: 'Europe/Berlin', ...body } });
  await create(ann, { timeZone: 'Mars/Olympus' });
  await create(eve, { chatroom });
  await create(ann, { chatroom: 'nonsense' });
  const { id } = await create(ann, { chatroom: chatroom.toUpperCase() });
  await eve.call('deleteExport', { params: { id } });
  const isReady = async () => {
    const { body } = await ann.device.call('listExports');
    return JSON.stringify(body).includes('"ready"');
  };
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  await ann.call('listExports');
  await eve.call('listExports');
  await eve.call('getExportFile', { params: { id } });
  expect(await ann.device.call('getExportFile', { params: { id } })).toMatchObject({ status: 200 });
  await ann.call('deleteExport', { params: { id } });
  await ann.call('getExportFile', { params: { id } });
  await ann.call('deleteExport', { params: { id } });
  await ann.call('listExports');
  const ofChat = await create(ann, { chatroom });
  await ann.call('deleteChat', { params: { id: chatroom }, body: { seq: 1_000 } });
  await ann.call('listExports');
  await ann.call('getExportFile', { params: { id: ofChat.id } });
});

conformance('notifications and typing', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const change = (body: object) => ann.call('changeNotifications', { body });
  await ann.call('getNotifications');
  await change({ content: 'none' });
  await change({ content: 'none' });
  const hours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', isOnlySound: true };
  await change({ quietHours: hours });
  await change({ quietHours: { ...hours, timeZone: 'Mars/Olympus' } });
  await change({ pausedUntil: '2200-01-01T00:00:00Z' });
  await change({ pausedUntil: 'later', content: 'who' });
  await ben.call('createReport', { body: { chatroom: randomUUID(), messageIds: [] } });
  ann.device.signal('typing', { chatroom });
  await expect.poll(() => ben.device.events.map(({ name }) => name)).toContain('typing');
});

conformance('presence', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  ben.device.signal('presence', { isActive: true });
  const seen = (actor: Actor) => JSON.stringify(actor.device.events.at(-1)?.payload);
  await expect.poll(() => seen(ben)).toContain('isComplete');
  ann.device.signal('presence', { isActive: true });
  await expect.poll(() => seen(ann)).toContain(chatroom);
  await expect.poll(() => seen(ben)).toContain('"isOnline":true');
});

conformance('requests that are not valid', async (cast) => {
  const { ann, chatroom } = await chatting(cast);
  await ann.call('sendMessage', { body: { chatroom } });
  await ann.call('sendMessage', { body: { chatroom: 1, content: 'x' } });
  await ann.call('sendMessage', { body: [] });
  await ann.call('listChanges', { body: { since: { nonsense: 0 } } });
  await ann.call('markAsRead', { params: { id: chatroom }, body: { seq: -1 } });
  await cast.guest('guest').call('listChats');
  await cast.guest('another').call('login', { body: { email: 'a@b.c' } });
});

conformance('a chat is deleted for one of its members', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  const deleteChat = (actor: Actor, seq: number) =>
    actor.call('deleteChat', { params: { id: chatroom }, body: { seq } });
  const settle = (actor: Actor, body: object) =>
    actor.call('changeChatSettings', { params: { id: chatroom }, body });
  const { _id: own, seq } = await send(ann, chatroom, 'plum of Ann');
  const { _id: other } = await send(ben, chatroom, 'plum of Ben', { replyTo: own });
  await ben.call('reactToMessage', { body: { messageId: own, emoji: '👍', isOn: true } });
  await settle(ann, { isPinned: true, mutedUntil: '2200-01-01T00:00:00Z' });
  await settle(ann, { isMarkedUnread: true });
  await deleteChat(ann, seq);
  await look(chatroom, ann, ben);
  await deleteChat(ann, 1_000);
  await deleteChat(ann, 1_000);
  await deleteChat(ann, 0);
  await look(chatroom, ann, ben);
  for (const actor of [ann, ben]) {
    await actor.call('searchMessages', { body: { query: 'plum', chatroomId: chatroom } });
  }
  for (const messageId of [own, other]) {
    await ann.call('editMessage', { body: { messageId, content: 'edited' } });
    await ann.call('reactToMessage', { body: { messageId, emoji: '👍', isOn: true } });
  }
  await ben.call('reactToMessage', { body: { messageId: own, emoji: '🙏', isOn: true } });
  await ben.call('editMessage', { body: { messageId: other, content: 'edited by Ben' } });
  await send(ann, chatroom, 'mine', { replyTo: own });
  await send(ben, chatroom, 'later', { replyTo: own });
  await look(chatroom, ann, ben);
  await ann.call('deleteMessage', { body: { messageId: own } });
  await look(chatroom, ann, ben);
  await deleteChat(ann, 1_000);
  await ann.call('findUser', { body: { username: 'Ben' } });
  await look(chatroom, ann);
  await deleteChat(ann, 1_000);
  await settle(ann, { isPinned: true });
  await look(chatroom, ann);
  await deleteChat(ann, 1_000);
  await ann.call('createChatroom', { body: { partnerName: 'Ben', content: 'again' } });
  await look(chatroom, ann, ben);
  await deleteChat(ann, 1_000);
  await deleteChat(ben, 1_000);
  await ben.call('blockPartner', { params: { id: chatroom } });
  await deleteChat(ben, 1_000);
  await look(chatroom, ann, ben);
  await ann.call('deleteChat', { params: { id: randomUUID() }, body: { seq: 1 } });
});

conformance('a request is deleted as a chat, and not once it is declined', async (cast) => {
  const { ann, ben, chatroom } = await requesting(cast);
  const deleteChat = () => ben.call('deleteChat', { params: { id: chatroom }, body: { seq: 9 } });
  await deleteChat();
  await look(chatroom, ann, ben);
  await send(ann, chatroom, 'again');
  await look(chatroom, ann, ben);
  await ben.call('declineRequest', { params: { id: chatroom } });
  await deleteChat();
  await look(chatroom, ann, ben);
  // Accepting it tells nothing of what was not opened.
  await send(ann, chatroom, 'once more');
  await deleteChat();
  await ben.call('acceptChat', { params: { id: chatroom } });
  await look(chatroom, ann, ben);
});

conformance('an invitation lists a deleted chat again', async (cast) => {
  const { ann, ben, chatroom } = await chatting(cast);
  await ben.call('deleteChat', { params: { id: chatroom }, body: { seq: 1_000 } });
  const { code } = await ann.call('createInvitation', { body: { isSingleUse: true } });
  await ben.call('redeemInvitation', { body: { code } });
  await look(chatroom, ann, ben);
});

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, openOrigin, startHome, type Home, type Origin } from './support/origin.ts';

let home: Home;
let origin: Origin;
beforeAll(async () => {
  home = await startHome();
}, 60_000);
afterAll(() => home.dispose());
beforeEach(async () => {
  origin = await openOrigin(home);
});

test('without the server, the page comes up with what was known last, and all else fails as a network does', async () => {
  await origin.ask('/api/config');
  await origin.logIn();
  await origin.ask('/api/users/current');
  await origin.ask('/api/chatrooms/chats');
  await home.server.stop();
  try {
    expect((await origin.ask('/', { headers: { accept: 'text/html' } })).status).toBe(200);
    expect(await (await origin.ask('/api/users/current')).json()).toMatchObject({
      username: 'ada',
    });
    expect(await (await origin.ask('/api/chatrooms/chats')).json()).toMatchObject({
      chatrooms: [],
    });
    expect((await origin.ask('/api/users/sessions')).type).toBe('error');
    const sent = await origin.ask(
      '/api/messages/send',
      json('POST', { chatroom: '1', content: 'Hi' }),
    );
    expect(sent.type).toBe('error');
  } finally {
    await home.server.start();
  }
  expect((await origin.ask('/api/users/current')).status).toBe(200);
}, 60_000);

test('a network that answers in its place spoils nothing that was known', async () => {
  await origin.ask('/api/config');
  await origin.logIn();
  await origin.ask('/api/users/current');
  const before = await origin.lastAnswers.recall('/api/config');
  const answering = (text: string) => origin.handlerOver(async () => new Response(text));
  const [html, other] = ['<h1>Sign in to the Wi-Fi</h1>', '{"avatarUrl":"https://b.example/"}'];
  for (const [path, text] of [
    ['/api/config', html],
    ['/api/config', other],
    ['/api/users/current', html],
    ['/api/users/current', 'null'],
  ] as const) {
    const told = await answering(text)(new Request(`${home.server.url}${path}`));
    expect(await told.text()).toBe(text);
  }
  expect(await origin.lastAnswers.recall('/api/config')).toBe(before);
  expect(await origin.lastAnswers.recall('/api/users/current')).toContain('ada');
  expect(origin.mediaOrigins()).toEqual([]);
});

test('an answer that comes in after the sign-out is not kept', async () => {
  await origin.logIn();
  let letIn: (() => void) | undefined;
  const slow = origin.handlerOver(async (url, init) => {
    const answer = await origin.session.fetch(url, init);
    await new Promise<void>((resolve) => (letIn = resolve));
    return answer;
  });
  const late = slow(new Request(`${home.server.url}/api/users/current`));
  await expect.poll(() => letIn).toBeDefined();
  await origin.ask('/api/users/logout');
  letIn?.();
  expect(await (await late).json()).toMatchObject({ username: 'ada' });
  expect(await origin.lastAnswers.recall('/api/users/current')).toBeUndefined();
});

test('nothing of a person stays once the server says that their session is over', async () => {
  await origin.logIn();
  await origin.ask('/api/users/current');
  origin.session.clear();
  expect((await origin.ask('/api/chatrooms/chats')).status).toBe(401);
  expect(await origin.lastAnswers.recall('/api/users/current')).toBeUndefined();
});

test('nothing of a person stays once they signed out', async () => {
  await origin.logIn();
  await origin.ask('/api/users/current');
  expect(await origin.lastAnswers.recall('/api/users/current')).toContain('ada');
  expect((await origin.ask('/api/users/logout')).status).toBeLessThan(400);
  expect(await origin.lastAnswers.recall('/api/users/current')).toBeUndefined();
});

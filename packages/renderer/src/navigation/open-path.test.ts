import { createMemoryRouter, type InitialEntry } from 'react-router-dom';
import { expect, test } from 'vitest';
import { findUnreadWantedAt } from './entry-state.ts';
import { openPath } from './open-path.ts';

const ROOM = '/chatarea/chats/a';
const TIME = expect.any(Number);

function createRouter(...initialEntries: InitialEntry[]) {
  const router = createMemoryRouter([{ path: '*' }], { initialEntries });
  const open = (path: string) => openPath(router, { closeOverlays: async () => undefined }, path);
  return { router, open };
}

test('opens the path of a notification, without a second entry of the screen that is open', async () => {
  const { router, open } = createRouter('/chatarea');
  const startedAt = Date.now();
  await open(ROOM);
  expect(router.state).toMatchObject({ historyAction: 'PUSH', location: { pathname: ROOM } });
  expect(findUnreadWantedAt(router.state.location.state)).toBeGreaterThanOrEqual(startedAt);
  await open(`${ROOM}?reply`);
  expect(router.state).toMatchObject({
    historyAction: 'REPLACE',
    location: { pathname: ROOM, search: '?reply' },
  });
  await router.navigate(-1);
  expect(router.state.location.pathname).toBe('/chatarea');
  for (const state of [null, undefined, 7, {}, { unreadWantedAt: 'now' }]) {
    expect(findUnreadWantedAt(state)).toBeUndefined();
  }
  router.dispose();
});

test('keeps the number of open layers of the entry that it replaces, and nothing else', async () => {
  const { router, open } = createRouter({ pathname: ROOM, state: { layers: 2, image: 'a.png' } });
  await open(ROOM);
  expect(router.state.location.state).toEqual({ layers: 2, unreadWantedAt: TIME });
  await open('/chatarea/chats/b');
  expect(router.state.location.state).toEqual({ unreadWantedAt: TIME });
  router.dispose();
});

test('shows the message of a path instead of the first unread one', async () => {
  const { router, open } = createRouter('/chatarea');
  await open(`${ROOM}/messages/7`);
  expect(router.state.location).toMatchObject({ pathname: `${ROOM}/messages/7`, state: {} });
  expect(findUnreadWantedAt(router.state.location.state)).toBeUndefined();
  router.dispose();
});

test('opens a message of the chatroom that is open without a second entry of the chatroom', async () => {
  const { router, open } = createRouter('/chatarea', { pathname: ROOM, state: { layers: 1 } });
  await open(`${ROOM}/messages/7`);
  expect(router.state).toMatchObject({
    historyAction: 'REPLACE',
    location: { pathname: `${ROOM}/messages/7`, state: { layers: 1 } },
  });
  await open(ROOM);
  expect(router.state).toMatchObject({ historyAction: 'REPLACE', location: { pathname: ROOM } });
  await open('/chatarea/chats/b/messages/7');
  expect(router.state.historyAction).toBe('PUSH');
  router.dispose();
});

test('opens a path once what is above the screens is closed', async () => {
  const { router } = createRouter({ pathname: ROOM, state: { layers: 1 } });
  await openPath(
    router,
    { closeOverlays: () => router.navigate(ROOM, { replace: true, state: null }) },
    ROOM,
  );
  expect(router.state.location.state).toEqual({ unreadWantedAt: TIME });
  router.dispose();
});

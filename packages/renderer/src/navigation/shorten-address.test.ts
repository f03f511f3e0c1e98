import { createMemoryRouter, type InitialEntry } from 'react-router-dom';
import { expect, test } from 'vitest';
import { shortenAddress } from './shorten-address.ts';

const ROOM = '/chatarea/chats/a';
const MESSAGE = `${ROOM}/messages/7`;

function createRouter(...initialEntries: InitialEntry[]) {
  const loaded = Promise.withResolvers<void>();
  const lazy = { path: '/settings', loader: async () => loaded.promise.then(() => null) };
  const router = createMemoryRouter([lazy, { path: '*' }], { initialEntries });
  return { router, pathname: () => router.state.location.pathname, load: loaded.resolve };
}

test('makes the path of a message that of its chatroom, in the same entry', async () => {
  const { router, pathname } = createRouter('/chatarea', `${MESSAGE}?reply`);
  shortenAddress(router, MESSAGE);
  await expect.poll(pathname).toBe(ROOM);
  expect(router.state).toMatchObject({ historyAction: 'REPLACE', location: { search: '?reply' } });
  await router.navigate(-1);
  expect(pathname()).toBe('/chatarea');
  router.dispose();
});

test.each([{ layers: 1 }, { image: 'a.png' }])(
  'waits until %o above the chatroom is closed',
  async (state) => {
    const { router, pathname } = createRouter(MESSAGE, { pathname: MESSAGE, state });
    shortenAddress(router, MESSAGE);
    expect(pathname()).toBe(MESSAGE);
    await router.navigate(-1);
    await expect.poll(pathname).toBe(ROOM);
    router.dispose();
  },
);

test('cancels no navigation to another screen', async () => {
  const { router, pathname, load } = createRouter(MESSAGE);
  const done = router.navigate('/settings');
  shortenAddress(router, MESSAGE);
  load();
  await done;
  expect(pathname()).toBe('/settings');
  // The message is shown again.
  await router.navigate(-1);
  await expect.poll(pathname).toBe(ROOM);
  router.dispose();
});

test('changes nothing once the waiting has ended, nor another path', async () => {
  const { router, pathname } = createRouter(MESSAGE, { pathname: MESSAGE, state: { layers: 1 } });
  shortenAddress(router, MESSAGE)();
  shortenAddress(router, `${ROOM}/messages/8`);
  await router.navigate(-1);
  await router.navigate('/chatarea');
  await router.navigate(-1);
  expect(pathname()).toBe(MESSAGE);
  router.dispose();
});

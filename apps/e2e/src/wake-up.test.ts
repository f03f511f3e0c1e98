import { sendOverHttp } from './support/browser-user.ts';
import { chatRow, message } from './support/chat.ts';
import { PHONE } from './support/phone.ts';
import { expect, proxiedTest as test } from './support/proxied-test.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';

// Without a renewed connection, missed messages would be shown after the 25 seconds between pings at the earliest,
// which is longer than expectations wait.

test('a page that was frozen while its connection died shows missed messages immediately', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, PHONE);
  const { page } = alice;
  // Playwright keeps pages visible, and Chromium freezes only hidden ones, so the event is sent here.
  reverseProxy.stall();
  await sendOverHttp(bob.page, 'Alice', 'While you were asleep');
  await expect(message(page, 'While you were asleep')).toHaveCount(0);
  await page.evaluate(() => document.dispatchEvent(new Event('resume')));
  await expect(message(page, 'While you were asleep')).toBeVisible();
});

test('a page that stayed visible while the device slept shows missed messages @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, PHONE);
  const { page } = alice;
  await page.clock.install();
  await goToChatroom(page, room);
  reverseProxy.stall();
  await sendOverHttp(bob.page, 'Alice', 'While the lid was closed');
  await page.clock.fastForward(60_000);
  await expect(message(page, 'While the lid was closed')).toBeVisible();
});

test('a page that was hidden for a while shows missed messages immediately @long', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, {
    ...PHONE,
    bobOpens: 'nothing',
  });
  const { page } = alice;
  await page.clock.install();
  await page.goto('/chatarea');
  await expect(chatRow(page, 'Bob')).toBeVisible();
  const setVisibility = (state: string) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  let connections = 0;
  page.on('websocket', () => {
    connections += 1;
  });

  await test.step('a short look at another app keeps the connection', async () => {
    await setVisibility('hidden');
    await setVisibility('visible');
    await sendOverHttp(bob.page, 'Alice', 'Still there?');
    await expect(chatRow(page, 'Bob')).toContainText('Still there?');
    expect(connections).toBe(0);
  });

  await setVisibility('hidden');
  reverseProxy.stall();
  await sendOverHttp(bob.page, 'Alice', 'Sent to your pocket');
  await page.clock.fastForward(6_000);
  await expect(chatRow(page, 'Bob')).not.toContainText('Sent to your pocket');
  await setVisibility('visible');
  await expect(chatRow(page, 'Bob')).toContainText('Sent to your pocket');
  expect(connections).toBe(1);
});

test('a page that comes back while the server is away connects as soon as it is visible', async ({
  server,
  reverseProxy,
  newPage,
}) => {
  const { alice, bob } = await openSharedChatroom(newPage, server, PHONE);
  const { page } = alice;
  let attempts = 0;
  page.on('websocket', () => {
    attempts += 1;
  });
  await reverseProxy.close();
  // The time between attempts grows to seconds.
  await expect.poll(() => attempts).toBeGreaterThan(3);
  await reverseProxy.open();
  await sendOverHttp(bob.page, 'Alice', 'The server is back');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(message(page, 'The server is back')).toBeVisible();
});

import { readFileSync } from 'node:fs';
import { longWebm } from '@parley/testing';
import type { Browser } from 'playwright/test';
import { sendFile } from './support/media.ts';
import { goToChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { createTranslator } from './support/texts.ts';

const t = createTranslator('en');
const HOURS = 1.9;
const MIB = 2 ** 20;

/** Returns the peak memory of all pages in MiB, or undefined if the system does not provide it. */
async function pageMemory(browser: Browser): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const peak = ({ id }: { id: number }): number => {
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  };
  try {
    const pages = processInfo.filter(({ type }) => type === 'renderer').map(peak);
    return pages.reduce((sum, each) => sum + each, 0);
  } catch {
    return undefined;
  }
}

test('the longest accepted recording needs little memory to be shown and played and to seek in it @long', async ({
  server,
  newPage,
  browser,
}, testInfo) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server, { bobOpens: 'chat list' });
  const { page } = bob;
  const buffer = longWebm(HOURS);
  await sendFile(alice.page, room, 'audio', { name: 'a.webm', mimeType: 'audio/webm', buffer });
  await page.addInitScript(() => {
    BaseAudioContext.prototype.decodeAudioData = () => {
      document.body.dataset['decoded'] = 'yes';
      return Promise.reject(new Error('not in this test'));
    };
  });
  const before = await pageMemory(browser);
  const begun = performance.now();
  await goToChatroom(page, room);
  const player = page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
  await expect(player.getByText(/^(?:1:5\d:\d\d|11\d:\d\d)$/)).toBeVisible();
  const shown = performance.now() - begun;

  await player.getByRole('button', { name: t('audio.play') }).click();
  const audio = player.locator('audio');
  const playsAfter = (seconds: number) =>
    expect
      .poll(() => audio.evaluate((it: HTMLAudioElement) => it.currentTime))
      .toBeGreaterThan(seconds);
  await playsAfter(0.5);
  await player.getByRole('slider', { name: t('audio.seek') }).fill('6000');
  await playsAfter(6_000.5);
  await expect(page.locator('body[data-decoded]')).toHaveCount(0);

  const after = await pageMemory(browser);
  const growth = before === undefined || after === undefined ? undefined : after - before;
  // Decoding the whole recording would take 1.5 GB.
  if (growth !== undefined) expect(growth).toBeLessThan(400);
  testInfo.annotations.push({
    type: 'cost',
    description: `${(buffer.length / MIB).toFixed(2)} MiB, ${HOURS} h: shown after ${Math.round(shown)} ms, +${Math.round(growth ?? 0)} MiB`,
  });
});

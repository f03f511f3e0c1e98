import { MARKABLE_RECORDINGS } from '@parley/testing';
import type { Page } from 'playwright/test';
import { chatRow, messages } from './support/chat.ts';
import { createWav } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { goToChatroom, openChatroom, openSharedChatroom } from './support/shared-chatroom.ts';
import { expect, test } from './support/test.ts';
import { TEST_LANGUAGES, createTranslator, type TestLanguage } from './support/texts.ts';
import { dismissToast } from './support/dismiss-toast.ts';

const t = createTranslator('en');

function recorder(page: Page, language: TestLanguage = 'en') {
  const localized = createTranslator(language);
  const bar = page.getByRole('region', { name: localized('recorder.title') });
  const click = (key: string) =>
    bar.getByRole('button', { name: localized(`recorder.${key}`), exact: true }).click();
  return {
    bar,
    click,
    start: () => page.getByRole('button', { name: localized('composer.record') }).click(),
    /** Waits until at least one second is recorded. */
    waitForOneSecond: () => expect(bar.getByText(/^0:0[1-9]$/)).toBeVisible(),
  };
}

test('a recording can be paused, played, resumed and sent', async ({ server, newPage }) => {
  const { alice, bob } = await openSharedChatroom(newPage, server);
  const { page } = alice;
  const { bar, click, start, waitForOneSecond } = recorder(page);

  await test.step('without the permission, an error is shown', async () => {
    await page.context().clearPermissions();
    // Granting nothing denies everything.
    await page.context().grantPermissions([]);
    await start();
    await dismissToast(page, t('recorder.denied'));
    await page.context().grantPermissions(['microphone']);
  });

  await test.step('a first recording is discarded', async () => {
    await start();
    await waitForOneSecond();
    await click('discard');
    await expect(bar).toHaveCount(0);
    await expect(messages(page)).toHaveCount(1);
  });

  await test.step('a second recording is paused, played and resumed', async () => {
    await start();
    await waitForOneSecond();
    await click('pause');
    await expect(bar.getByRole('button', { name: t('recorder.stop') })).toHaveCount(0);
    await expect(bar.getByRole('button', { name: t('recorder.discard') })).toBeVisible();
    await expect(bar.getByRole('button', { name: t('recorder.send') })).toBeVisible();
    await expect(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
    await bar.getByRole('button', { name: t('audio.play') }).click();
    await expect(bar.getByRole('button', { name: t('audio.pause') })).toBeVisible();
    await expect(bar.getByRole('button', { name: t('audio.play') })).toBeVisible();
    await click('resume');
    await expect(bar.getByRole('button', { name: t('audio.play') })).toHaveCount(0);
    await expect(bar.getByText(/^0:0[2-9]$/)).toBeVisible();
  });

  await test.step('the button that stops also sends the recording, and the partner can play it, change its speed and seek in it', async () => {
    await click('stop');
    await expect(bar).toHaveCount(0);
    await expect(messages(page)).toHaveCount(2);
    const player = bob.page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
    await expect(player).toBeVisible();
    await expect(player.getByText(/^0:0[2-9]$/)).toBeVisible();
    await player.getByRole('button', { name: t('audio.speed', { speed: '1×' }) }).click();
    await expect(player.getByText('1.5×')).toBeVisible();
    await player.getByRole('button', { name: t('audio.play') }).click();
    await expect(player.locator('audio')).toHaveJSProperty('playbackRate', 1.5);
    await expect(player.getByRole('button', { name: t('audio.play') })).toBeVisible();
    await player.getByRole('slider', { name: t('audio.seek') }).press('End');
    await expect(player.getByRole('slider')).not.toHaveValue('0');
    await player.getByRole('slider', { name: t('audio.seek') }).press('Home');
    await expect(player.getByRole('slider')).toHaveValue('0');
  });

  await test.step('both chat lists show an audio label, and the recording can be deleted but not edited', async () => {
    for (const row of [chatRow(page, 'Bob'), chatRow(bob.page, 'Alice')]) {
      await expect(row).toContainText(t('chatList.sentAudio'));
    }
    const article = page.locator('article').last();
    await article.hover();
    await expect(article.getByRole('button', { name: t('message.delete') })).toBeVisible();
    await expect(article.getByRole('button', { name: t('message.edit') })).toHaveCount(0);
  });
});

test('the duration and the waveform are shown without fetching or decoding the recording', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await openSharedChatroom(newPage, server);
  const { bar, click, start, waitForOneSecond } = recorder(alice.page);
  const fetched: string[] = [];
  bob.page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
  await bob.page.addInitScript(() => {
    BaseAudioContext.prototype.decodeAudioData = () => {
      document.body.dataset['decoded'] = 'yes';
      return Promise.reject(new Error('not in this test'));
    };
  });
  await goToChatroom(bob.page, room);

  await start();
  await waitForOneSecond();
  await click('stop');
  await expect(bar).toHaveCount(0);
  const players = bob.page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
  await expect(players).toHaveCount(1);
  await sendFile(alice.page, room, 'audio', createWav(83));

  const countHeights = (index: number) =>
    players
      .nth(index)
      .locator('[data-played], span[style]')
      .evaluateAll((bars) => new Set(bars.map((bar) => bar.getAttribute('style'))).size);
  const expectPlayers = async (): Promise<void> => {
    await expect(players).toHaveCount(2);
    await expect(players.first().getByText(/^0:0[1-9]$/)).toBeVisible();
    await expect(players.last().getByText('1:23')).toBeVisible();
    // Chromium's fake microphone beeps once a second, so the bars of a short recording may have few
    // different heights.
    expect(await countHeights(0)).toBeGreaterThan(1);
    // An upload without a waveform is shown with bars of equal height.
    expect(await countHeights(1)).toBe(1);
  };
  await test.step('recordings that arrive live show their duration and waveform', expectPlayers);
  await test.step('recordings show their duration and waveform after a reload', async () => {
    await goToChatroom(bob.page, room);
    await expectPlayers();
  });
  expect(fetched.filter((path) => path.startsWith('/media/'))).toEqual([]);
  await expect(bob.page.locator('body[data-decoded]')).toHaveCount(0);
});

test('recordings keep their duration when the server removes their metadata @long', async ({
  server,
  newPage,
}) => {
  const { alice, room } = await openChatroom(newPage, server);
  for (const [name, recording] of Object.entries(MARKABLE_RECORDINGS)) {
    const { extension, durationMs } = recording;
    await test.step(name, async () => {
      // Fills every place for metadata, all of which the server removes.
      const buffer = recording.build(new Set(recording.places));
      const file = { name: `voice.${extension}`, mimeType: `audio/${extension}`, buffer };
      const url = await sendFile(alice.page, room, 'audio', file);
      expect(url).toMatch(new RegExp(`\\.${extension}$`));
      const played = await alice.page.evaluate(async (source) => {
        // As the app does: pages may not load media of other origins, and the URL has that of the server's address.
        const response = await fetch(new URL(source, location.href).pathname);
        const audio = new Audio(URL.createObjectURL(await response.blob()));
        audio.muted = true;
        const ended = new Promise((resolve, reject) => {
          audio.addEventListener('ended', resolve);
          audio.addEventListener('error', () => reject(new Error(audio.error?.message)));
        });
        await audio.play();
        const { duration } = audio;
        await ended;
        return { duration, position: audio.currentTime };
      }, url);
      // Decoders skip the first milliseconds of a stream, which contain no sound.
      expect(Math.abs(played.duration * 1_000 - durationMs)).toBeLessThan(120);
      expect(Math.abs(played.position * 1_000 - durationMs)).toBeLessThan(120);
    });
  }
});

for (const language of TEST_LANGUAGES) {
  const localized = createTranslator(language);

  test(`a failed recording or upload shows an error, and a failed upload can be retried (${language}) @long`, async ({
    server,
    newPage,
  }) => {
    const { alice } = await openChatroom(newPage, server, { language });
    const { page } = alice;
    const { bar, click, start, waitForOneSecond } = recorder(page, language);

    await page.route('**/api/upload/audio', (route) => route.fulfill({ status: 500 }), {
      times: 1,
    });
    await start();
    await waitForOneSecond();
    await click('stop');
    await dismissToast(page, localized('recorder.uploadFailed'));
    await click('send');
    await expect(bar).toHaveCount(0);
    await expect(messages(page)).toHaveCount(2);

    // Fakes a recorder that delivers only an empty chunk, then one that delivers none.
    for (const [chunks, key] of [
      [1, 'recorder.empty'],
      [0, 'recorder.missing'],
    ] as const) {
      await page.evaluate((count) => {
        window.MediaRecorder = class extends MediaRecorder {
          constructor(stream: MediaStream, options?: MediaRecorderOptions) {
            super(stream, options);
            this.addEventListener('dataavailable', (event) => {
              if (event.isTrusted) event.stopImmediatePropagation();
            });
            if (count === 0) return;
            const empty = new BlobEvent('dataavailable', { data: new Blob([]) });
            this.addEventListener('start', () => this.dispatchEvent(empty));
          }
        };
      }, chunks);
      await start();
      await waitForOneSecond();
      await click('stop');
      await dismissToast(page, localized(key));
      await expect(bar).toHaveCount(0);
      await page.reload();
    }
  });
}

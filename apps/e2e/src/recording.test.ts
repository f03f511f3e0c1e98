import type { Page } from 'playwright/test';
import { chatRow, messages } from './support/chat.ts';
import { voice } from './support/files.ts';
import { sendFile } from './support/media.ts';
import { twoInRoom } from './support/pair.ts';
import { expect, test } from './support/test.ts';
import { LANGUAGES, words, type Language } from './support/texts.ts';
import { seeToast } from './support/toasts.ts';

const t = words('en');

function recorder(page: Page, language: Language = 'en') {
  const say = words(language);
  const bar = page.getByRole('region', { name: say('recorder.title') });
  const press = (key: string) =>
    bar.getByRole('button', { name: say(`recorder.${key}`), exact: true }).click();
  return {
    bar,
    press,
    start: () => page.getByRole('button', { name: say('composer.record') }).click(),
    /** Until a second is recorded. */
    hasRun: () => expect(bar.getByText(/^0:0[1-9]$/)).toBeVisible(),
  };
}

test('a voice message is recorded, paused, listened to and sent', async ({ server, newPage }) => {
  const { alice, bob } = await twoInRoom(newPage, server);
  const { page } = alice;
  const { bar, press, start, hasRun } = recorder(page);

  await test.step('one is discarded', async () => {
    await start();
    await hasRun();
    await press('discard');
    await expect(bar).toHaveCount(0);
    await expect(messages(page)).toHaveCount(1);
  });

  await test.step('the next is paused, resumed, stopped and heard', async () => {
    await start();
    await hasRun();
    await press('pause');
    const paused = await bar.getByText(/^0:0\d$/).textContent();
    await expect(bar.getByRole('button', { name: t('recorder.resume') })).toBeVisible();
    await expect(bar.getByText(paused ?? '')).toBeVisible();
    await press('resume');
    await expect(bar.getByText(/^0:0[2-9]$/)).toBeVisible();
    await press('stop');
    await bar.getByRole('button', { name: t('audio.play') }).click();
    await expect(bar.getByRole('button', { name: t('audio.pause') })).toBeVisible();
    await expect(bar.getByRole('button', { name: t('audio.play') })).toBeVisible();
  });

  await test.step('it arrives, plays, is sped up and sought in', async () => {
    await press('send');
    await expect(bar).toHaveCount(0);
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

  await test.step('both lists tell of it, and it can only be deleted', async () => {
    for (const row of [chatRow(page, 'Bob'), chatRow(bob.page, 'Alice')]) {
      await expect(row).toContainText(t('chatList.sentAudio'));
    }
    const article = page.locator('article').last();
    await article.hover();
    await expect(article.getByRole('button', { name: t('message.delete') })).toBeVisible();
    await expect(article.getByRole('button', { name: t('message.edit') })).toHaveCount(0);
  });
});

test('one recording plays at a time, and one that cannot be loaded says so', async ({
  server,
  newPage,
}) => {
  const { alice, bob, room } = await twoInRoom(newPage, server);
  const { page } = bob;
  for (const seconds of [20, 21]) await sendFile(alice.page, room, 'audio', voice(seconds));
  const players = page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
  await expect(players).toHaveCount(2);
  await players
    .first()
    .getByRole('button', { name: t('audio.play') })
    .click();
  await expect(players.first().getByRole('button', { name: t('audio.pause') })).toBeVisible();
  await players
    .last()
    .getByRole('button', { name: t('audio.play') })
    .click();
  await expect(players.last().getByRole('button', { name: t('audio.pause') })).toBeVisible();
  await expect(players.first().getByRole('button', { name: t('audio.play') })).toBeVisible();

  await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
  await sendFile(alice.page, room, 'audio', voice(3));
  await expect(page.getByText(t('audio.broken'))).toBeVisible();
});

for (const language of LANGUAGES) {
  const say = words(language);

  test(`a recording that fails says why (${language})`, async ({ server, newPage }) => {
    const { alice } = await twoInRoom(newPage, server, { language });
    const { page } = alice;
    const { bar, press, start, hasRun } = recorder(page, language);

    await page.route('**/api/upload/audio', (route) => route.fulfill({ status: 500 }), {
      times: 1,
    });
    await start();
    await hasRun();
    await press('send');
    await seeToast(page, say('recorder.uploadFailed'));
    await press('send');
    await expect(bar).toHaveCount(0);
    await expect(messages(page)).toHaveCount(2);

    // A recorder that gives empty pieces, then one that gives none.
    for (const [pieces, key] of [
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
      }, pieces);
      await start();
      await hasRun();
      await press('send');
      await seeToast(page, say(key));
      await expect(bar).toHaveCount(0);
      await page.reload();
    }
  });
}

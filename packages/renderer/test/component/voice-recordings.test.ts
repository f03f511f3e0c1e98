import { createTranslator, TEST_LANGUAGES } from '@parley/texts/translator';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { expectNoAxeViolations } from './support/axe-violations.ts';
import { messageBox } from './support/locators.ts';
import { createRecordingFile, sendMediaAs } from './support/media-files.ts';
import { openChatOf } from './support/open-chat-of.ts';

const t = createTranslator('en');

const bar = page.getByRole('region', { name: t('recorder.title') });

const countMessages = (): number => page.getByCss('[data-message]').elements().length;

/** Finds a button of the recorder. */
const barButton = (key: 'stop' | 'pause' | 'resume' | 'discard' | 'send') =>
  bar.getByRole('button', { name: t(`recorder.${key}`), exact: true });

/** Starts a recording with the keyboard. Resolves once a second is recorded. Returns where the button was. */
async function startWithKeyboard(): Promise<DOMRect> {
  const start = page.getByRole('button', { name: t('composer.record') }).element();
  const box = start.getBoundingClientRect();
  start.focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(barButton('stop')).toHaveFocus();
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  return box;
}

async function pressButton(key: 'stop' | 'pause' | 'discard' | 'send'): Promise<void> {
  barButton(key).element().focus();
  await userEvent.keyboard('{Enter}');
}

test('only one recording plays at a time, and one that cannot be loaded shows an error', async () => {
  const { server, room } = await openChatOf('Bob', {}, async (memoryServer, id) => {
    for (const seconds of [60, 61]) {
      await sendMediaAs(memoryServer, 'Alice', id, createRecordingFile(seconds));
    }
  });
  const players = page.getByRole('group', { name: t('audio.partner', { name: 'Alice' }) });
  const play = (index: number) => players.nth(index).getByRole('button', { name: t('audio.play') });
  const pause = (index: number) =>
    players.nth(index).getByRole('button', { name: t('audio.pause') });
  await play(0).click();
  await expect.element(pause(0)).toBeVisible();
  await play(1).click();
  await expect.element(pause(1)).toBeVisible();
  await expect.element(play(0)).toBeVisible();

  // The others are in memory, so they are not requested again.
  server.intercept('getMedia', () => new Response(null, { status: 404 }));
  await sendMediaAs(server, 'Alice', room, createRecordingFile(3));
  await play(2).click();
  await expect.element(page.getByText(t('audio.broken'))).toBeVisible();
  await play(0).click();
  await expect.element(pause(0)).toBeVisible();
});

test('the button that stops and sends a recording covers the record button and has the focus', async () => {
  await openChatOf('Alice');
  const record = await startWithKeyboard();
  const stop = barButton('stop').element().getBoundingClientRect();
  expect(stop.left).toBeLessThanOrEqual(record.left);
  expect(stop.right).toBeGreaterThanOrEqual(record.right);
  expect(stop.top).toBe(record.top);
  await userEvent.keyboard('{Enter}');
  await expect.element(bar).not.toBeInTheDocument();
  await expect.poll(countMessages).toBe(2);
});

/** Presses Enter, or repeats it as a held key does, and then releases it. */
async function sendEnter(options: { autoRepeat?: boolean } = {}): Promise<void> {
  const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
  await cdp().send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text: '\r', ...options });
  if (options.autoRepeat) await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

test('a held key starts or discards a recording, and sends neither it nor the draft', async () => {
  await openChatOf('Alice');
  await userEvent.fill(messageBox(), 'a draft');
  page
    .getByRole('button', { name: t('composer.record') })
    .element()
    .focus();
  await sendEnter();
  await expect.element(barButton('stop')).toHaveFocus();
  await expect.element(bar.getByText(/^0:0[1-9]$/)).toBeVisible();
  await sendEnter({ autoRepeat: true });
  await expect.element(bar.getByText(/^0:0[2-9]$/)).toBeVisible();

  barButton('discard').element().focus();
  await sendEnter();
  await expect.element(messageBox()).toHaveFocus();
  await sendEnter({ autoRepeat: true });
  await userEvent.keyboard('.');
  await expect.element(messageBox()).toHaveValue('a draft.');
  expect(countMessages()).toBe(1);
});

for (const language of TEST_LANGUAGES) {
  test(`on a phone, one button stops and sends a recording, also a paused one (${language})`, async () => {
    const texts = createTranslator(language);
    await openChatOf('Alice', { language, viewport: { width: 320, height: 568 } });
    await page.getByRole('button', { name: texts('composer.record') }).click();
    const recorder = page.getByRole('region', { name: texts('recorder.title') });
    const labels = () =>
      recorder
        .getByRole('button')
        .elements()
        .map((button) => button.getAttribute('aria-label'));
    const fits = () => recorder.element().scrollWidth <= recorder.element().clientWidth;
    await expect.element(recorder.getByText(/^0:0[1-9]$/)).toBeVisible();
    expect(labels()).toEqual([
      texts('recorder.discard'),
      texts('recorder.pause'),
      texts('recorder.stop'),
    ]);
    expect(fits()).toBe(true);

    await recorder.getByRole('button', { name: texts('recorder.pause') }).click();
    await expect.element(recorder.getByRole('group')).toBeVisible();
    expect(labels().at(0)).toBe(texts('recorder.discard'));
    expect(labels().slice(-2)).toEqual([texts('recorder.resume'), texts('recorder.send')]);
    expect(fits()).toBe(true);
    await recorder.getByRole('button', { name: texts('recorder.send') }).click();
    await expect.element(recorder).not.toBeInTheDocument();
    await expect.poll(countMessages).toBe(2);
  });
}

test('a paused recording keeps the focus and is discarded or sent, which returns the focus to the text box', async () => {
  await openChatOf('Alice');
  await startWithKeyboard();
  await pressButton('pause');
  await expect.element(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();
  await expect.element(barButton('resume')).toHaveFocus();
  await pressButton('discard');
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(bar).not.toBeInTheDocument();
  expect(countMessages()).toBe(1);

  await startWithKeyboard();
  await pressButton('pause');
  await pressButton('send');
  await expect.element(messageBox()).toHaveFocus();
  await expect.element(bar).not.toBeInTheDocument();
  await expect.poll(countMessages).toBe(2);
});

/** Resolves to the track of the microphone that the next recording opens. */
function nextMicrophone(): Promise<MediaStreamTrack> {
  const { promise, resolve } = Promise.withResolvers<MediaStreamTrack>();
  const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  const spy = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async (constraints) => {
    const stream = await open(constraints);
    for (const track of stream.getTracks()) resolve(track);
    return stream;
  });
  return promise;
}

test.each([
  ['is unplugged', 'available', 'ended'],
  ['may not be used anymore', 'denied', 'withdrawn'],
] as const)('a recording is kept for review if the microphone %s', async (_, state, key) => {
  const microphone = nextMicrophone();
  let isAsked = false;
  await openChatOf('Alice', {
    host: {
      microphoneState: async () => {
        if (isAsked) return state;
        isAsked = true;
        return 'available';
      },
    },
  });
  await startWithKeyboard();
  const track = await microphone;
  track.stop();
  track.dispatchEvent(new Event('ended'));
  const reason = page.getByRole('alert').filter({ hasText: t(`recorder.${key}`) });
  await expect.element(reason).toBeVisible();
  await expect.element(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();
  await expect.element(barButton('pause')).not.toBeInTheDocument();
  await expectNoAxeViolations('a recording that was interrupted');
  await pressButton('send');
  await expect.element(bar).not.toBeInTheDocument();
  await expect.element(reason).not.toBeInTheDocument();
  await expect.poll(countMessages).toBe(2);
});

test('a recording is paused while a call has the microphone, and goes on afterwards', async () => {
  const microphone = nextMicrophone();
  await openChatOf('Alice');
  await startWithKeyboard();
  const track = await microphone;
  const muted = vi.spyOn(track, 'muted', 'get').mockReturnValue(true);
  track.dispatchEvent(new Event('mute'));
  const reason = page.getByRole('alert').filter({ hasText: t('recorder.muted') });
  await expect.element(reason).toBeVisible();
  await expect.element(bar.getByRole('group', { name: t('recorder.review') })).toBeVisible();
  // The call goes on. Screen readers read a reason again only if it is a new element.
  for (let i = 0; i < 2; i += 1) {
    const announced = reason.element();
    await barButton('resume').click();
    await expect.poll(() => reason.element()).not.toBe(announced);
    await expect.element(barButton('resume')).toBeVisible();
  }
  muted.mockReturnValue(false);
  track.dispatchEvent(new Event('unmute'));
  await barButton('resume').click();
  await expect.element(reason).not.toBeInTheDocument();
  await expect.element(bar.getByText(/^0:0[2-9]$/)).toBeVisible();
  await barButton('stop').click();
  await expect.poll(countMessages).toBe(2);
});

test('a microphone whose level cannot be measured is recorded', async () => {
  const connect = vi.spyOn(AudioContext.prototype, 'createMediaStreamSource');
  onTestFinished(() => connect.mockRestore());
  connect.mockImplementation(() => {
    throw new DOMException('', 'NotSupportedError');
  });
  await openChatOf('Alice');
  await startWithKeyboard();
  await pressButton('stop');
  await expect.poll(countMessages).toBe(2);
});

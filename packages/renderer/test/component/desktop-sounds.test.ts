import { createTranslator } from '@parley/texts/translator';
import { createDesktopHost } from '@parley/web/desktop-host';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { actAs, createChatBetween, createServerWith, sendTextAs } from './support/act-as.ts';
import { createFakeBridge, type DesktopResponses } from './support/fake-bridge.ts';
import { chatRowOf } from './support/locators.ts';
import { openApp } from './support/open-app.ts';

const t = createTranslator('en');

interface SoundCase {
  readonly name: string;
  readonly responses: DesktopResponses;
  readonly volume?: 'silent';
  /** Whether notifications are asked to be silent. */
  readonly isSilent: boolean;
  /** How often the page itself plays the sound of a message. */
  readonly playCount: number;
}

const CASES: readonly SoundCase[] = [
  { name: 'the notification plays it', responses: {}, isSilent: false, playCount: 0 },
  {
    name: 'the page plays it if the notification was refused',
    responses: { notify: 'refused' },
    isSilent: false,
    playCount: 1,
  },
  {
    name: 'the page plays it if notifications have no sound',
    responses: { notificationSound: false },
    isSilent: false,
    playCount: 1,
  },
  {
    name: 'the page does not play it in do-not-disturb mode',
    responses: { notify: 'off', isDoNotDisturb: true },
    isSilent: false,
    playCount: 0,
  },
  {
    name: 'there is no sound at volume silent',
    responses: {},
    volume: 'silent',
    isSilent: true,
    playCount: 0,
  },
];

for (const { name, responses, volume, isSilent, playCount } of CASES) {
  test(`the sound of a message in the desktop app: ${name}`, async () => {
    const played = vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
    const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
    onTestFinished(() => {
      played.mockRestore();
      hasFocus.mockRestore();
    });
    const server = createServerWith(['Alice', 'Bob']);
    if (volume !== undefined) await actAs(server, 'Bob').call('changeVolume', { body: { volume } });
    const room = await createChatBetween(server, ['Alice', 'Bob']);
    const bridge = createFakeBridge(responses);
    await openApp({ server, user: 'Bob', host: createDesktopHost(bridge) });
    const unread = chatRowOf('Alice').getByText(t('chatList.unread_one', { count: 1 }));
    await expect.element(unread).toBeInTheDocument();
    hasFocus.mockReturnValue(false);
    window.dispatchEvent(new Event('blur'));

    await sendTextAs(server, 'Alice', room, 'Hello again!');
    await expect.poll(() => bridge.notify.mock.calls).toMatchObject([[{ silent: isSilent }]]);
    await expect.poll(() => played.mock.calls.length).toBe(playCount);
    // A second sound of the first message would have followed before that of the second one.
    await sendTextAs(server, 'Alice', room, 'Are you there?');
    await expect.poll(() => bridge.notify.mock.calls.length).toBe(2);
    await expect.poll(() => played.mock.calls.length).toBe(2 * playCount);
    await expect.element(page.getByText('Are you there?').first()).toBeInTheDocument();
  });
}

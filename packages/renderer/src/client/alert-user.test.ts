import type { Volume } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import type { ChatNotification } from '../host/host.ts';
import { alertUser } from './alert-user.ts';

const notification = {
  chatroom: '1',
  path: '/1',
  title: 'Ada',
  body: 'Hi',
  onOpen: () => undefined,
};

interface Situation {
  volume?: Volume;
  isPageFocused?: boolean;
  canPlay?: boolean;
  hasSounded?: boolean;
  isDoNotDisturb?: boolean;
}

/** Alerts the user. Resolves to the notification's `sound` and to how often the page played a sound. */
async function alertSounds(
  situation: Situation,
): Promise<[ChatNotification['sound'] | 'none', number]> {
  const notify = vi.fn<(shown: ChatNotification) => Promise<boolean>>(
    async () => situation.hasSounded ?? false,
  );
  const play = vi.fn<() => void>();
  await alertUser(notification, {
    host: { notify, isDoNotDisturb: async () => situation.isDoNotDisturb ?? false },
    isPageFocused: () => situation.isPageFocused ?? false,
    volume: () => situation.volume ?? 'middle',
    canPlay: () => situation.canPlay ?? true,
    play,
  });
  return [notify.mock.calls[0]?.[0].sound ?? 'none', play.mock.calls.length];
}

test.each<[string, Situation, [string, number]]>([
  [
    'does not play on the page if the notification made a sound',
    { hasSounded: true },
    ['either', 0],
  ],
  ['plays on the page if no notification made a sound', {}, ['either', 1]],
  [
    'plays on the page without a notification if the page has the focus',
    { isPageFocused: true },
    ['none', 1],
  ],
  [
    'requires the notification to sound if the page may not play',
    { canPlay: false },
    ['required', 0],
  ],
  ['makes no sound at volume silent', { volume: 'silent' }, ['off', 0]],
  ['does not play on the page in do-not-disturb mode', { isDoNotDisturb: true }, ['either', 0]],
  [
    'does not play on a focused page in do-not-disturb mode',
    { isDoNotDisturb: true, isPageFocused: true },
    ['none', 0],
  ],
])('%s', async (_case, situation, expected) => {
  expect(await alertSounds(situation)).toEqual(expected);
});

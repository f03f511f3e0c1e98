import type { Volume } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import type { ChatNotification } from '../host/host.ts';
import { alertUser } from './alert-user.ts';

const notification = { chatroom: '1', title: 'Ada', body: 'Hi', onOpen: () => undefined };

interface Situation {
  volume?: Volume;
  isAttended?: boolean;
  canPlay?: boolean;
  hasSounded?: boolean;
  isQuiet?: boolean;
}

/** Resolves to what the notification was told about its sound, and how often the page played. */
async function alerted(
  situation: Situation,
): Promise<[ChatNotification['sound'] | 'none', number]> {
  const notify = vi.fn<(shown: ChatNotification) => Promise<boolean>>(
    async () => situation.hasSounded ?? false,
  );
  const play = vi.fn<() => void>();
  await alertUser(notification, {
    host: { notify, isDoNotDisturb: async () => situation.isQuiet ?? false },
    isAttended: () => situation.isAttended ?? false,
    volume: () => situation.volume ?? 'middle',
    canPlay: () => situation.canPlay ?? true,
    play,
  });
  return [notify.mock.calls[0]?.[0].sound ?? 'none', play.mock.calls.length];
}

test.each<[string, Situation, [string, number]]>([
  ['the notification sounds, so the page does not', { hasSounded: true }, ['either', 0]],
  ['the page plays where no notification sounds', {}, ['either', 1]],
  ['the page plays for a user who looks at another chat', { isAttended: true }, ['none', 1]],
  ['the notification must sound where the page may not play', { canPlay: false }, ['required', 0]],
  ['nothing sounds at volume silent', { volume: 'silent' }, ['off', 0]],
  ['the page is quiet where the system is', { isQuiet: true }, ['either', 0]],
  ['also for a user who looks at another chat', { isQuiet: true, isAttended: true }, ['none', 0]],
])('%s', async (_case, situation, expected) => {
  expect(await alerted(situation)).toEqual(expected);
});

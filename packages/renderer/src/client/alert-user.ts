import type { Volume } from '@parley/contract';
import type { ChatNotification, Host } from '../host/host.ts';

interface AlertUserDeps {
  host: Pick<Host, 'notify' | 'isDoNotDisturb'>;
  /** Whether the user looks at the page, where no notification is shown. */
  isAttended: () => boolean;
  volume: () => Volume;
  /** Whether the page may play sounds: browsers wait for the first gesture. */
  canPlay: () => boolean;
  play: () => void;
}

/**
 * Alerts the user to a new message. This is the one place that decides who makes its sound, so that there
 * is never more than one: the notification if the host's notifications sound, otherwise the page; nobody
 * at volume `silent`.
 */
export async function alertUser(
  notification: Omit<ChatNotification, 'sound'>,
  { host, isAttended, volume, canPlay, play }: AlertUserDeps,
): Promise<void> {
  const isSilent = volume() === 'silent';
  const mayPlay = canPlay();
  const sound = isSilent ? 'off' : mayPlay ? 'either' : 'required';
  const hasSounded = !isAttended() && (await host.notify({ ...notification, sound }));
  if (isSilent || hasSounded || !mayPlay || (await host.isDoNotDisturb?.())) return;
  play();
}

import type { Volume } from '@parley/contract';
import type { ChatNotification, Host } from '../host/host.ts';

interface AlertUserDeps {
  host: Pick<Host, 'notify' | 'isDoNotDisturb'>;
  /** Returns whether the page has the focus, in which case no notification is shown. */
  isPageFocused: () => boolean;
  volume: () => Volume;
  /** Returns whether the page may play sounds. Browsers require a user gesture first. */
  canPlay: () => boolean;
  play: () => void;
}

/**
 * Alerts the user to a new message. The sound plays once: in the notification if the host's notifications have
 * sound, otherwise on the page. Only this function decides that. There is no sound at volume `silent`.
 */
export async function alertUser(
  notification: Omit<ChatNotification, 'sound'>,
  { host, isPageFocused, volume, canPlay, play }: AlertUserDeps,
): Promise<void> {
  const isSilent = volume() === 'silent';
  const mayPlay = canPlay();
  const sound = isSilent ? 'off' : mayPlay ? 'either' : 'required';
  const hasSounded = !isPageFocused() && (await host.notify({ ...notification, sound }));
  if (isSilent || hasSounded || !mayPlay || (await host.isDoNotDisturb?.())) return;
  play();
}

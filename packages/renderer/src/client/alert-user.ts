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
 * Alerts the user to a new message with a notification, unless the page has the focus, and with one sound. The
 * sound comes from the notification if possible, otherwise from the page. The page plays none in do-not-disturb
 * mode, and volume `silent` mutes both.
 */
export async function alertUser(
  notification: Omit<ChatNotification, 'sound'>,
  { host, isPageFocused, volume, canPlay, play }: AlertUserDeps,
): Promise<void> {
  const isSilent = volume() === 'silent';
  const canPlaySound = canPlay();
  const sound = isSilent ? 'off' : canPlaySound ? 'either' : 'required';
  const hasSounded = !isPageFocused() && (await host.notify({ ...notification, sound }));
  if (isSilent || hasSounded || !canPlaySound || (await host.isDoNotDisturb?.())) return;
  play();
}

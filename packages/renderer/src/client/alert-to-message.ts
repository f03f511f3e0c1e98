import type { IncomingMessage } from '@parley/client';
import { isolate, type NotificationContent, type Volume } from '@parley/contract';
import type { TFunction } from 'i18next';
import { isPageFocused } from '../browser/page-focused.ts';
import { messagePlainText } from '../format/message-plain-text.ts';
import type { ChatNotification, Host } from '../host/host.ts';
import { chatPath } from '../navigation/paths.ts';
import { hasUserActivation } from '../sounds/user-activation.ts';
import type { SoundPlayer } from '../sounds/sound-player.ts';
import { toastInfo } from '../ui/show-toast.ts';
import { alertUser } from './alert-user.ts';

interface AlertContext {
  t: TFunction;
  host: Pick<Host, 'notify' | 'isDoNotDisturb'>;
  username: string;
  volume: () => Volume;
  /** What notifications say. */
  content: NotificationContent;
  /** Whether notifications are turned off on this device. */
  areNotificationsOff: boolean;
  player: Pick<SoundPlayer, 'play'>;
  openChat: (chatroomId: string) => void;
}

/**
 * Alerts the user to a new message with a sound and a notification, or with a toast if it is not shown. That an
 * invitation was accepted is a toast in a page with the focus, too, as there may be no message for long.
 */
export function alertToMessage(incoming: IncomingMessage, context: AlertContext): void {
  const { t, host, volume, areNotificationsOff, player, openChat } = context;
  const { chatroomId, name, isSilent } = incoming;
  if (incoming.isRequest) {
    alertToRequest(incoming, context);
    return;
  }
  const text = incoming.isInvitation
    ? t('chatList.invitationAccepted', { name })
    : t('room.announcement', { name, text: isolate(messagePlainText(incoming, t)) });
  const onNotShown = (): void => toastInfo(text, { onClick: () => openChat(chatroomId) });
  const notification = { ...createNotification(incoming, context), onNotShown };
  if (incoming.isInvitation && isPageFocused()) onNotShown();
  void alertUser(notification, {
    host: areNotificationsOff ? { ...host, notify: async () => false } : host,
    isPageFocused,
    volume: () => (isSilent ? 'silent' : volume()),
    canPlay: hasUserActivation,
    play: () => player.play('receive'),
  });
}

/** Shows a notification of a message request, without its content and without a sound. */
function alertToRequest(incoming: IncomingMessage, context: AlertContext): void {
  if (isPageFocused() || context.areNotificationsOff) return;
  const notification = createNotification(incoming, context);
  void context.host.notify({ ...notification, sound: 'off', canReply: false });
}

function createNotification(
  incoming: IncomingMessage,
  { t, username, content, openChat }: AlertContext,
): Omit<ChatNotification, 'sound'> {
  const { chatroomId, seq, reaction, isRequest, isInvitation } = incoming;
  const isReaction = reaction !== undefined;
  return {
    ...describe(incoming, content, t),
    chatroom: chatroomId,
    user: username,
    path: chatPath(chatroomId),
    seq,
    isReaction,
    ...(!isReaction &&
      !isRequest &&
      !isInvitation && {
        buttons: { reply: t('notifications.reply'), read: t('notifications.markAsRead') },
      }),
    onOpen: () => openChat(chatroomId),
  };
}

/** Returns what a notification says, as push messages say it. */
function describe(
  incoming: IncomingMessage,
  content: NotificationContent,
  t: TFunction,
): { title: string; body: string } {
  const { name, reaction, isRequest, isInvitation } = incoming;
  const title = content === 'none' ? 'Parley' : name;
  if (isRequest) {
    return content === 'none'
      ? { title, body: t('notifications.newRequest') }
      : { title: t('request.notification', { name }), body: '' };
  }
  if (isInvitation) {
    return content === 'none'
      ? { title, body: t('notifications.invitationAccepted') }
      : { title: t('chatList.invitationAccepted', { name }), body: '' };
  }
  if (content === 'whoAndWhat') return { title, body: messagePlainText(incoming, t) };
  if (reaction === undefined) return { title, body: t('notifications.newMessage') };
  const reacted = t('notifications.reacted');
  return { title, body: content === 'none' ? t('notifications.newReaction') : reacted };
}

import type { DesktopBridge, DesktopPreferences } from '@parley/contract';
import type { Host, MicrophoneState } from '@parley/renderer/host';
import { createMailbox } from './mailbox.ts';
import { drawUnread } from './unread-picture.ts';

/** The application in the desktop app, whose page has the server's own origin. */
export function createDesktopHost(bridge: DesktopBridge): Host {
  const { features } = bridge.start;
  let preferences: DesktopPreferences = bridge.start.preferences;
  const openings = createMailbox<[chatroom: string]>();
  const replies = createMailbox<[chatroom: string, text: string]>();

  bridge.onEvent((event) => {
    if (event.type === 'open-chat') openings.put(event.chatroom);
    else replies.put(event.chatroom, event.text);
  });

  const notificationState = () => (preferences.notifications ? 'granted' : 'denied');

  return {
    serverOrigin: location.origin,
    setBadge: (count) => {
      const picture = features.unreadPicture && count > 0 ? drawUnread(count) : undefined;
      bridge.setUnread({ count, ...(picture !== undefined && { picture }) });
    },
    notificationState,
    requestNotifications: async () => {
      preferences = await bridge.setPreferences({ notifications: true });
      return notificationState();
    },
    notify: ({ chatroom, title, body, onNotShown }) => {
      const show = async (): Promise<void> => {
        const outcome = await bridge.notify({ chatroom, title, body });
        if (outcome === 'refused' || outcome === 'unsupported') onNotShown?.();
      };
      show().catch(() => onNotShown?.());
    },
    withdrawNotification: bridge.withdraw,
    microphoneState: () => microphoneState(bridge),
    device: {
      features,
      get: () => preferences,
      change: async (changed) => {
        preferences = await bridge.setPreferences(changed);
        return preferences;
      },
      testNotification: bridge.testNotification,
      openMicrophoneSettings: bridge.openMicrophoneSettings,
    },
    onOpenChat: openings.listen,
    onReply: replies.listen,
    setLanguage: bridge.setLanguage,
  } satisfies Host;
}

async function microphoneState(bridge: DesktopBridge): Promise<MicrophoneState> {
  // The person said yes to this server; Chromium hears of it at the next start.
  if (!window.isSecureContext) return 'needs-restart';
  const { mediaDevices }: { mediaDevices?: MediaDevices } = navigator;
  if (!mediaDevices || !('MediaRecorder' in window)) return 'unsupported';
  const state = await bridge.microphone();
  if (state === 'denied') return 'switched-off';
  if (state === 'denied-by-system') return state;
  const devices = await mediaDevices.enumerateDevices();
  return devices.some(({ kind }) => kind === 'audioinput') ? 'available' : 'no-device';
}

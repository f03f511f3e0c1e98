import type { DesktopBridge, DesktopPreferences } from '@parley/contract';
import type { Host, MicrophoneState } from '@parley/renderer/host';
import { createEventBuffer } from './event-buffer.ts';
import { drawUnreadPicture } from './unread-picture.ts';

/** Creates the host for the desktop app, whose page has the server's origin. */
export function createDesktopHost(bridge: DesktopBridge): Host {
  const { features } = bridge.start;
  let preferences: DesktopPreferences = bridge.start.preferences;
  const openedChats = createEventBuffer<[chatroom: string, seq: number | undefined]>();
  const replies = createEventBuffer<[chatroom: string, text: string]>();

  const certificates = createEventBuffer<[isRefused: boolean]>();
  const resumeListeners = new Set<(wasAway: boolean) => void>();

  bridge.onEvent((event) => {
    if (event.type === 'open-chat') openedChats.push(event.chatroom, event.seq);
    else if (event.type === 'reply') replies.push(event.chatroom, event.text);
    else if (event.type === 'certificate') certificates.push(event.isRefused);
    // Not buffered: a page without a listener has no live connection to renew.
    else for (const listener of resumeListeners) listener(true);
  });

  const notificationState = () => (preferences.notifications ? 'granted' : 'denied');

  return {
    serverOrigin: location.origin,
    setBadge: (count) => {
      const picture = features.unreadPicture && count > 0 ? drawUnreadPicture(count) : undefined;
      bridge.setUnread({ count, ...(picture !== undefined && { picture }) });
    },
    notificationState,
    requestNotifications: async () => {
      preferences = await bridge.setPreferences({ notifications: true });
      return notificationState();
    },
    playsWithoutGesture: true,
    notify: async ({ chatroom, title, body, sound, canReply, onNotShown }) => {
      const silent = sound === 'off';
      const outcome = await bridge
        .notify({ chatroom, title, body, silent, ...(canReply === false && { canReply }) })
        .catch(() => 'refused' as const);
      if (outcome === 'refused' || outcome === 'unsupported') onNotShown?.();
      return outcome === 'shown' && !silent && features.notificationSound;
    },
    isDoNotDisturb: () => bridge.isDoNotDisturb().catch(() => false),
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
      // Wrapped, because click handlers pass their event, which cannot cross the bridge.
      openMicrophoneSettings: () => bridge.openMicrophoneSettings(),
      manageServers: () => bridge.manageServers(),
    },
    onOpenChat: openedChats.listen,
    onReply: replies.listen,
    onResume: (listener) => {
      resumeListeners.add(listener);
      return () => void resumeListeners.delete(listener);
    },
    onCertificate: certificates.listen,
    ...(features.updates && { checkForUpdates: () => bridge.checkForUpdates() }),
    reviewCertificate: () => bridge.reviewCertificate(),
    setLanguage: bridge.setLanguage,
    getStorageKey: bridge.storageKey,
    followUpload: bridge.followUpload,
  } satisfies Host;
}

async function microphoneState(bridge: DesktopBridge): Promise<MicrophoneState> {
  // The user allowed this server without HTTPS. Chromium applies this permission when the app starts again.
  if (!window.isSecureContext) return 'needs-restart';
  const { mediaDevices }: { mediaDevices?: MediaDevices } = navigator;
  if (!mediaDevices || !('MediaRecorder' in window)) return 'unsupported';
  const state = await bridge.microphone();
  if (state === 'denied') return 'switched-off';
  if (state === 'denied-by-system') return state;
  const devices = await mediaDevices.enumerateDevices();
  return devices.some(({ kind }) => kind === 'audioinput') ? 'available' : 'no-device';
}

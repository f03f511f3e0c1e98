import type {
  DesktopBridge,
  DesktopEvent,
  DesktopMicrophone,
  DesktopStart,
  NotificationOutcome,
} from '@parley/contract';
import { vi } from 'vitest';

const START: DesktopStart = {
  features: {
    tray: true,
    startAtLogin: true,
    notificationSound: true,
    updates: false,
    unreadPicture: true,
    microphoneSettings: true,
  },
  preferences: {
    notifications: true,
    notificationContent: true,
    microphone: true,
    closeToTray: false,
    startHidden: false,
    startAtLogin: false,
    updates: false,
  },
};

/** What the desktop app responds. */
export interface DesktopResponses {
  notify?: NotificationOutcome;
  testNotification?: NotificationOutcome;
  microphone?: DesktopMicrophone;
  /** Whether the system is in do-not-disturb mode. */
  isDoNotDisturb?: boolean;
  /** Whether notifications can play a sound. */
  notificationSound?: boolean;
}

/** Throws if an argument, such as the event of a click, could not pass the bridge. */
function cloneArguments(...args: unknown[]): void {
  structuredClone(args);
}

/** Creates the bridge of a desktop app for `createDesktopHost`. It records most calls. */
export function createFakeBridge(responses: DesktopResponses = {}) {
  const { notify = 'shown', testNotification = 'shown', microphone = 'available' } = responses;
  const { isDoNotDisturb = false, notificationSound = true } = responses;
  const listeners = new Set<(event: DesktopEvent) => void>();
  let { preferences } = START;
  const bridge = {
    start: { ...START, features: { ...START.features, notificationSound } },
    notify: vi.fn<DesktopBridge['notify']>(async () => notify),
    isDoNotDisturb: async () => isDoNotDisturb,
    withdraw: vi.fn<DesktopBridge['withdraw']>(),
    testNotification: async () => testNotification,
    setUnread: vi.fn<DesktopBridge['setUnread']>(),
    microphone: async () => microphone,
    openMicrophoneSettings: vi.fn<DesktopBridge['openMicrophoneSettings']>(cloneArguments),
    manageServers: vi.fn<DesktopBridge['manageServers']>(cloneArguments),
    checkForUpdates: vi.fn<DesktopBridge['checkForUpdates']>(cloneArguments),
    reviewCertificate: vi.fn<DesktopBridge['reviewCertificate']>(cloneArguments),
    setPreferences: vi.fn<DesktopBridge['setPreferences']>(async (changed) => {
      preferences = { ...preferences, ...changed };
      return preferences;
    }),
    setLanguage: vi.fn<DesktopBridge['setLanguage']>(),
    storageKey: async () => new Uint8Array(32).fill(7),
    followUpload: vi.fn<DesktopBridge['followUpload']>(() => vi.fn<() => void>()),
    onEvent: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } satisfies DesktopBridge;
  /** Sends an event to the page. */
  const emit = (event: DesktopEvent) => {
    for (const listener of listeners) listener(event);
  };
  return { ...bridge, emit };
}

import type { DesktopMicrophone } from '@parley/contract';
import { systemPreferences } from 'electron';
import type { SettingsFile } from '../settings/settings-file.ts';
import { getMicrophoneState } from './microphone.ts';

/** Resolves to whether the app may record, by the user's settings and the system's. */
export function getSystemMicrophone(settings: SettingsFile): Promise<DesktopMicrophone> {
  return getMicrophoneState({
    platform: process.platform,
    system: systemPreferences,
    isAllowedInSettings: () => settings.get().preferences.microphone,
  });
}

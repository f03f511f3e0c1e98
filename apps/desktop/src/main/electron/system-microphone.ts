import type { DesktopMicrophone } from '@parley/contract';
import { systemPreferences } from 'electron';
import { microphoneState } from '../microphone/microphone.ts';
import type { SettingsFile } from '../settings/settings-file.ts';

/** Whether this app may record on this system, by the person's own settings and the system's. */
export function systemMicrophone(settings: SettingsFile): Promise<DesktopMicrophone> {
  return microphoneState({
    platform: process.platform,
    system: systemPreferences,
    isAllowedHere: () => settings.get().preferences.microphone,
  });
}

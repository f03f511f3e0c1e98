import type { DesktopMicrophone } from '@parley/contract';
import type { SystemPreferences } from 'electron';

interface MicrophoneDeps {
  platform: NodeJS.Platform;
  /** Only macOS and Windows have a status. */
  system: Pick<SystemPreferences, 'getMediaAccessStatus' | 'askForMediaAccess'>;
  /** Returns whether the app's settings allow the microphone. */
  isAllowedInSettings: () => boolean;
}

/** Resolves to whether the app may record. On macOS, asks for consent if the user was never asked. */
export async function getMicrophoneState(deps: MicrophoneDeps): Promise<DesktopMicrophone> {
  if (!deps.isAllowedInSettings()) return 'denied';
  if (deps.platform !== 'darwin' && deps.platform !== 'win32') return 'available';
  const status = deps.system.getMediaAccessStatus('microphone');
  if (status === 'denied' || status === 'restricted') return 'denied-by-system';
  if (status !== 'not-determined' || deps.platform !== 'darwin') return 'available';
  try {
    return (await deps.system.askForMediaAccess('microphone')) ? 'available' : 'denied-by-system';
  } catch {
    // Asking fails in an app without the entitlement. Recording then reports the real state.
    return 'available';
  }
}

/** Returns the address of the system's microphone settings, if there are any. */
export function findMicrophoneSettings(platform: NodeJS.Platform): string | undefined {
  if (platform === 'darwin') {
    return 'x-apple.systempreferences:com.apple.preference.security?Privacy_Microphone';
  }
  return platform === 'win32' ? 'ms-settings:privacy-microphone' : undefined;
}

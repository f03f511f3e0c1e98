import type { Session } from 'electron';
import { getSystemMicrophone } from '../microphone/system-microphone.electron.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { decidePermission } from './permissions.ts';

/** Lets the page of the trusted origin use what the rules and the user's settings allow. Denies all else. */
export function setPermissions(
  serverSession: Session,
  trustedOrigin: string,
  settings: SettingsFile,
): void {
  const rules = () => ({
    trustedOrigin,
    isMicrophoneAllowed: settings.get().preferences.microphone,
  });
  serverSession.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    decidePermission(
      {
        permission,
        requestingOrigin,
        isMainFrame: details.isMainFrame,
        mediaTypes: details.mediaType === undefined ? [] : [details.mediaType],
      },
      rules(),
    ),
  );
  serverSession.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const mediaTypes = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const { requestingUrl: requestingOrigin, isMainFrame } = details;
    const isGranted = decidePermission(
      { permission, requestingOrigin, isMainFrame, mediaTypes },
      rules(),
    );
    if (!isGranted || permission !== 'media') callback(isGranted);
    else void checkSystemMicrophone(callback, settings);
  });
}

async function checkSystemMicrophone(
  callback: (isGranted: boolean) => void,
  settings: SettingsFile,
): Promise<void> {
  callback((await getSystemMicrophone(settings)) === 'available');
}

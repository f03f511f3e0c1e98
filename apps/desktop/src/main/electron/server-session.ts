import { session, systemPreferences, type Session } from 'electron';
import { microphoneState } from '../microphone/microphone.ts';
import type { Assets } from '../origin/assets.ts';
import type { LastAnswers } from '../origin/last-answers.ts';
import { createOriginHandler } from '../origin/origin-handler.ts';
import { decidePermission } from '../security/permissions.ts';
import { createCertificateCheck, installCertificateCheck } from '../servers/certificates.ts';
import { findServer, partitionOf, withMediaOrigins } from '../servers/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { setSpelling } from '../spelling/spelling.ts';

interface ServerSessionDeps {
  settings: SettingsFile;
  assets: Assets;
  lastAnswers: LastAnswers;
}

/** The storage, network and rights of one server's page: everything but the window. */
export function openServerSession(origin: string, deps: ServerSessionDeps): Session {
  const { settings } = deps;
  const own = session.fromPartition(partitionOf(origin));
  const { hostname, protocol } = new URL(origin);

  const fingerprint = findServer(settings.get(), origin)?.pinned;
  const pin = fingerprint === undefined ? undefined : { hostname, fingerprint };
  installCertificateCheck(own, createCertificateCheck(pin));
  allowWhatIsNeeded(own, origin, settings);
  setSpelling(own, settings.get().spellCheck, process.platform);

  const scheme = protocol.slice(0, -1);
  // A server that was forgotten and added again meets the handler of the first time.
  if (own.protocol.isProtocolHandled(scheme)) own.protocol.unhandle(scheme);
  own.protocol.handle(
    scheme,
    createOriginHandler({
      serverOrigin: origin,
      pageOrigin: origin,
      assets: deps.assets,
      lastAnswers: deps.lastAnswers,
      fetch: (url, init) => own.fetch(url, { ...init, bypassCustomProtocolHandlers: true }),
      mediaOrigins: () => findServer(settings.get(), origin)?.mediaOrigins ?? [],
      onMediaOrigins: (found) => settings.change((all) => withMediaOrigins(all, origin, found)),
    }),
  );
  return own;
}

/** Erases everything that is kept of a server. */
export async function eraseServer(origin: string, lastAnswers: LastAnswers): Promise<void> {
  const own = session.fromPartition(partitionOf(origin));
  lastAnswers.forget();
  await Promise.all([own.clearStorageData(), own.clearCache(), own.clearAuthCache()]);
}

function allowWhatIsNeeded(own: Session, trustedOrigin: string, settings: SettingsFile): void {
  const rules = () => ({
    trustedOrigin,
    isMicrophoneAllowed: settings.get().preferences.microphone,
  });
  own.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
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
  own.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const mediaTypes = 'mediaTypes' in details ? (details.mediaTypes ?? []) : [];
    const { requestingUrl: requestingOrigin, isMainFrame } = details;
    const isGranted = decidePermission(
      { permission, requestingOrigin, isMainFrame, mediaTypes },
      rules(),
    );
    if (!isGranted || permission !== 'media') callback(isGranted);
    else void askSystem(callback, settings);
  });
}

async function askSystem(
  callback: (isGranted: boolean) => void,
  settings: SettingsFile,
): Promise<void> {
  const state = await microphoneState({
    platform: process.platform,
    system: systemPreferences,
    isAllowedHere: () => settings.get().preferences.microphone,
  });
  callback(state === 'available');
}

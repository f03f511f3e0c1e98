import { session, type Session } from 'electron';
import { setPermissions } from '../security/permissions.electron.ts';
import { watchCertificates, type CertificateWatch } from '../servers/certificates.ts';
import { findSavedServer, getPartition, withMediaOrigins } from '../settings/server-list.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { setSpelling } from '../spelling/spelling.ts';
import type { StorageKey } from '../storage-key/storage-key.ts';
import type { Assets } from './assets.ts';
import { createOriginHandler } from './origin-handler.ts';
import { sendUpload } from './send-upload.electron.ts';
import { createUploads, type Uploads } from './uploads.ts';

interface ServerSessionDeps {
  settings: SettingsFile;
  assets: Assets;
  storageKey: StorageKey;
  /** Called when the server's certificate is refused, and when it is accepted again. */
  onCertificate: (isRefused: boolean) => void;
  /** Called with the id of an upload and its sent share, from 0 to 1. */
  onUploadProgress: (id: string, share: number) => void;
}

/** A server's session with its certificate watch, uploads and storage key. */
export interface ServerSession {
  session: Session;
  certificate: CertificateWatch;
  uploads: Uploads;
  storageKey: StorageKey;
}

/** Sets up the storage, network and permissions of a server's page. */
export function openServerSession(origin: string, deps: ServerSessionDeps): ServerSession {
  const { settings } = deps;
  const serverSession = session.fromPartition(getPartition(origin));
  const { hostname, protocol } = new URL(origin);

  const fingerprint = findSavedServer(settings.get(), origin)?.pinned;
  const pin = fingerprint === undefined ? undefined : { hostname, fingerprint };
  const certificate = watchCertificates(serverSession, {
    hostname,
    pin,
    onChange: deps.onCertificate,
  });
  const uploads = createUploads(deps.onUploadProgress);
  setPermissions(serverSession, origin, settings);
  setSpelling(serverSession, settings.get().spellCheck, process.platform);

  const scheme = protocol.slice(0, -1);
  // The session of a server that was removed and added again still has the old handler.
  if (serverSession.protocol.isProtocolHandled(scheme)) serverSession.protocol.unhandle(scheme);
  serverSession.protocol.handle(
    scheme,
    createOriginHandler({
      serverOrigin: origin,
      pageOrigin: origin,
      assets: deps.assets,
      fetch: async (url, init) => {
        const response = await serverSession.fetch(url, {
          ...init,
          bypassCustomProtocolHandlers: true,
        });
        if (new URL(url).origin === origin) certificate.markAccepted();
        return response;
      },
      upload: async (upload) => {
        const response = await uploads.run(upload.id, (following) =>
          sendUpload(serverSession, upload, following),
        );
        certificate.markAccepted();
        return response;
      },
      clearCache: () => void serverSession.clearCache(),
      mediaOrigins: () => findSavedServer(settings.get(), origin)?.mediaOrigins ?? [],
      onMediaOrigins: (found) => settings.change((all) => withMediaOrigins(all, origin, found)),
    }),
  );
  return { session: serverSession, certificate, uploads, storageKey: deps.storageKey };
}

/** Writes a server's cookies to the disk. */
export async function saveServer(origin: string): Promise<void> {
  await session.fromPartition(getPartition(origin)).cookies.flushStore();
}

/** Erases a server's data. */
export async function eraseServer(origin: string, storageKey: StorageKey): Promise<void> {
  const serverSession = session.fromPartition(getPartition(origin));
  await Promise.all([
    storageKey.erase(),
    serverSession.clearStorageData(),
    serverSession.clearCache(),
    serverSession.clearAuthCache(),
  ]);
}

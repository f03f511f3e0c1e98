import type { AppUpdater } from 'electron-updater';

/** Finds, downloads and installs updates. */
export interface UpdateEngine {
  /** Resolves to the feed's version if it is newer. Rejects if the feed cannot be read. */
  check: () => Promise<string | undefined>;
  /**
   * Downloads the update that `check` found. Resolves once it is verified and on the disk; it is then
   * installed when the app quits.
   */
  download: (onProgress: (percent: number) => void) => Promise<void>;
  /** Quits, installs the update and starts the app again. */
  restart: () => void;
  /** Subscribes to failures after a successful download. */
  onLateFailure: (handle: () => void) => void;
}

/** Milliseconds. Chromium's own requests have no timeout. */
const CHECK_TIMEOUT_MS = 60_000;
/** Header in which electron-updater sends a permanent id of the installation. */
const ID_HEADER = 'x-user-staging-id';

/**
 * Creates an engine from an updater of electron-updater.
 * @param feed URL of a folder with latest*.yml
 */
export function createUpdateEngine(updater: AppUpdater, feed: string): UpdateEngine {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  updater.disableWebInstaller = true;
  updater.requestHeaders = { [ID_HEADER]: 'none' };
  updater.setFeedURL({ provider: 'generic', url: feed });
  // Sends empty credentials to a proxy, so that the request fails instead of waiting for them forever.
  updater.on('login', (_info, callback) => callback('', ''));
  let isDownloaded = false;

  return {
    check: async () => {
      const result = await withTimeout(updater.checkForUpdates(), CHECK_TIMEOUT_MS);
      if (result === null) throw new Error('The updater does not work in this installation');
      return result.isUpdateAvailable ? result.updateInfo.version : undefined;
    },
    download: async (onProgress) => {
      const handle = ({ percent }: { percent: number }) => onProgress(percent);
      updater.on('download-progress', handle);
      try {
        await updater.downloadUpdate();
        isDownloaded = true;
      } finally {
        updater.off('download-progress', handle);
      }
    },
    restart: () => updater.quitAndInstall(true, true),
    onLateFailure: (handle) => {
      updater.on('error', () => {
        if (!isDownloaded) return;
        isDownloaded = false;
        handle();
      });
    },
  };
}

async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The feed did not respond in time')), milliseconds);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

import type { AppUpdater } from 'electron-updater';

/** Finds, downloads and installs updates, as far as the app uses it. */
export interface UpdateEngine {
  /** Resolves to the version of the feed if it is newer. Rejects if the feed cannot be read. */
  check: () => Promise<string | undefined>;
  /**
   * Downloads what `check` found. Resolves once it is on the disk, checked, and will be installed when the
   * app quits. Rejects if it is not.
   */
  download: (onProgress: (percent: number) => void) => Promise<void>;
  /** Quits, installs and starts again. */
  restart: () => void;
  /** Subscribes to failures that come after a download has resolved. */
  onLateFailure: (handle: () => void) => void;
}

/** Milliseconds. Chromium's own requests have no deadline. */
const CHECK_TIMEOUT_MS = 60_000;
/** electron-updater sends a permanent id of the installation in this header. */
const ID_HEADER = 'x-user-staging-id';

/** Drives an updater of electron-updater with a feed: the address of a folder with latest*.yml. */
export function createUpdateEngine(updater: AppUpdater, feed: string): UpdateEngine {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = true;
  updater.disableWebInstaller = true;
  updater.requestHeaders = { [ID_HEADER]: 'none' };
  updater.setFeedURL({ provider: 'generic', url: feed });
  // A request would wait forever for credentials of a proxy. Empty ones make it fail.
  updater.on('login', (_info, callback) => callback('', ''));
  let isDownloaded = false;

  return {
    check: async () => {
      const result = await withDeadline(updater.checkForUpdates(), CHECK_TIMEOUT_MS);
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

async function withDeadline<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The feed did not respond in time')), milliseconds);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

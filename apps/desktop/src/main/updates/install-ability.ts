/** The facts that decide whether this installation can update itself. */
export interface Installation {
  platform: NodeJS.Platform;
  /** False for an app that was started from the sources. */
  isPackaged: boolean;
  /** Path of the running program. */
  executable: string;
  /** Path of the AppImage that the app runs from. */
  appImage: string | undefined;
  /** Resolves to whether this process may write into a folder. */
  isWritable: (folder: string) => Promise<boolean>;
  /** Resolves to the output of `codesign --display --verbose=2` for an app bundle. */
  describeSignature: (bundle: string) => Promise<string>;
}

/**
 * Resolves to whether the app can download and install updates itself. Otherwise, the user has to: the
 * package manager owns a .deb, and macOS replaces only signed apps.
 */
export async function canInstallUpdates(installation: Installation): Promise<boolean> {
  if (!installation.isPackaged) return false;
  switch (installation.platform) {
    case 'win32':
      return true;
    case 'darwin':
      return canReplaceBundle(installation);
    default:
      return canReplaceAppImage(installation);
  }
}

async function canReplaceAppImage({ appImage, isWritable }: Installation): Promise<boolean> {
  if (appImage?.startsWith('/') !== true) return false;
  return isWritable(appImage.slice(0, appImage.lastIndexOf('/')) || '/');
}

async function canReplaceBundle({ executable, describeSignature }: Installation): Promise<boolean> {
  // An app that was opened from its disk image runs from there or from a read-only copy.
  if (executable.startsWith('/Volumes/') || executable.includes('/AppTranslocation/')) return false;
  const bundle = /^.*?\.app(?=\/)/.exec(executable)?.[0];
  if (bundle === undefined) return false;
  try {
    return /^TeamIdentifier=[A-Z\d]+$/m.test(await describeSignature(bundle));
  } catch {
    return false;
  }
}

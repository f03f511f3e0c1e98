/** What decides whether this installation can replace itself. */
export interface Installation {
  platform: NodeJS.Platform;
  /** Whether it was installed, not started from the sources. */
  isPackaged: boolean;
  /** Path of the running program. */
  executable: string;
  /** Path of the AppImage that the app runs from. */
  appImage: string | undefined;
  /** Resolves to whether this process may write into a folder. */
  isWritable: (folder: string) => Promise<boolean>;
  /** Resolves to what `codesign --display --verbose=2` writes about an app bundle. */
  describeSignature: (bundle: string) => Promise<string>;
}

/**
 * Resolves to whether an update can be downloaded and installed from within the app. Where it cannot, the
 * user has to get it: a .deb belongs to the package manager, and macOS replaces signed apps only.
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
  // An app that was opened from its disk image runs from there, or from a read-only copy.
  if (executable.startsWith('/Volumes/') || executable.includes('/AppTranslocation/')) return false;
  const bundle = /^.*?\.app(?=\/)/.exec(executable)?.[0];
  if (bundle === undefined) return false;
  try {
    return /^TeamIdentifier=[A-Z\d]+$/m.test(await describeSignature(bundle));
  } catch {
    return false;
  }
}

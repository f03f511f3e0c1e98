import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import plist from 'plist';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

/** The platforms that electron-builder packages for, by Node's names. */
export type PackagedPlatform = 'darwin' | 'linux' | 'win32';

/** Marker by which `@electron/fuses` finds the fuses in Electron's binary. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Version 1 with nine fuses, as in a release of Electron. */
const FUSE_WIRE = Buffer.concat([Buffer.from([1, 9]), Buffer.from('101100011')]);
const HELPERS = ['', ' (Renderer)', ' (Plugin)', ' (GPU)'];

/**
 * Writes the files that electron-builder expects in an unpacked Electron, without the program itself. The binary
 * has a real fuse wire, and on Windows real resources, so that packaging can change both.
 */
export async function writeElectronStub(folder: string, platform: PackagedPlatform): Promise<void> {
  await mkdir(folder, { recursive: true });
  if (platform === 'darwin') {
    await writeMacApp(join(folder, 'Electron.app', 'Contents'));
    return;
  }
  await mkdir(join(folder, 'resources'));
  await mkdir(join(folder, 'locales'));
  for (const name of ['de', 'en-GB', 'en-US', 'fr']) {
    await write(join(folder, 'locales', `${name}.pak`), '');
  }
  const isWindows = platform === 'win32';
  await write(join(folder, isWindows ? 'electron.exe' : 'electron'), binary(isWindows));
  await write(join(folder, isWindows ? 'libEGL.dll' : 'chrome-sandbox'), '');
  await write(join(folder, 'LICENSE'), '');
  await write(join(folder, 'version'), '');
}

async function writeMacApp(contents: string): Promise<void> {
  const frameworks = join(contents, 'Frameworks');
  const framework = join(frameworks, 'Electron Framework.framework');
  await mkdir(join(contents, 'MacOS'), { recursive: true });
  await mkdir(join(contents, 'Resources'));
  for (const name of ['de', 'en', 'fr']) {
    const language = join(framework, 'Versions', 'A', 'Resources', `${name}.lproj`);
    await mkdir(language, { recursive: true });
    await write(join(language, 'locale.pak'), '');
  }
  await write(join(contents, 'MacOS', 'Electron'), '');
  await write(join(contents, 'Resources', 'electron.icns'), '');
  await write(join(framework, 'Electron Framework'), binary(false));
  await writeInfo(contents, 'Electron', { CFBundleIconFile: 'electron.icns' });
  for (const suffix of HELPERS) {
    const name = `Electron Helper${suffix}`;
    const helper = join(frameworks, `${name}.app`, 'Contents');
    await mkdir(join(helper, 'MacOS'), { recursive: true });
    await write(join(helper, 'MacOS', name), '');
    await writeInfo(helper, name, {});
  }
}

async function writeInfo(contents: string, name: string, more: Record<string, string>) {
  const info = { CFBundleExecutable: name, CFBundleName: name, ...more };
  await write(join(contents, 'Info.plist'), plist.build(info));
}

function binary(isWindows: boolean): Buffer {
  const fuses = Buffer.concat([Buffer.from(FUSE_SENTINEL), FUSE_WIRE]);
  if (!isWindows) return fuses;
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program, true);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1033, codepage: 1200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  program.setExtraData(fuses);
  return Buffer.from(program.generate());
}

async function write(path: string, content: string | Buffer): Promise<void> {
  await writeFile(path, content, { mode: 0o755 });
}

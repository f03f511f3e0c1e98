import { extractFile, listPackage } from '@electron/asar';
import {
  build,
  type AfterPackContext,
  type Arch,
  type Configuration,
  type Platform,
} from 'electron-builder';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeElectronStub, type PackagedPlatform } from './stub-electron.ts';

export const ROOT = join(import.meta.dirname, '../../../..');

/** The result of packaging. */
export interface PackagedApp {
  /** Folder of the installers and unpacked apps. */
  output: string;
  /** The configuration as electron-builder understood it. */
  config: Configuration;
  packager: AfterPackContext['packager'];
  /** The input of each target's tool, in the order in which the targets were built. */
  toolInputs: unknown[];
}

/** The input from which fpm would create a .deb. */
export interface FpmInput {
  args: string[];
  /** The contents of the scripts and desktop entries among the arguments, by path. */
  files: Record<string, string>;
}

/**
 * Packages the build as `npm run desktop:package` does, with a stub of Electron. Each target stops before it calls
 * its tool (fpm, mksquashfs, makensis), so nothing is downloaded.
 */
export async function packageApp(
  folder: string,
  platform: PackagedPlatform,
  targets: Map<Platform, Map<Arch, string[]>>,
): Promise<PackagedApp> {
  const electronDist = join(folder, 'electron');
  const output = join(folder, 'dist');
  await writeElectronStub(electronDist, platform);
  const toolInputs: unknown[] = [];
  let context: AfterPackContext | undefined;
  await build({
    projectDir: ROOT,
    targets,
    publish: 'never',
    effectiveOptionComputed: async (options: unknown) => {
      toolInputs.push(isForFpm(options) ? await readFpmInput(options[0]) : options);
      return true;
    },
    config: {
      extends: join(ROOT, 'electron-builder.yml'),
      electronDist,
      directories: { app: 'apps/desktop', buildResources: 'apps/desktop/build', output },
      afterPack: async (packed) => {
        context = packed;
      },
    },
  });
  if (context === undefined) throw new Error('nothing was packed');
  return { output, toolInputs, packager: context.packager, config: context.packager.config };
}

function isForFpm(options: unknown): options is [string[], string] {
  return Array.isArray(options) && Array.isArray(options[0]);
}

// Reads the files now, as electron-builder deletes them at the end of the build.
async function readFpmInput(args: string[]): Promise<FpmInput> {
  const files: Record<string, string> = {};
  for (const [index, arg] of args.entries()) {
    const isScript = args[index - 1]?.startsWith('--after-');
    const path = arg.split('=')[0] ?? '';
    if (isScript === true || path.endsWith('.desktop')) files[path] = await readFile(path, 'utf8');
  }
  return { args, files };
}

/** Returns the paths in an asar, with `/` as the separator and at the start. */
export function listAsarPaths(asar: string): string[] {
  return listPackage(asar, { isPack: false }).map((path) => path.replaceAll('\\', '/'));
}

/** Returns the `package.json` in an asar. */
export function readAsarPackageJson(asar: string): Record<string, unknown> {
  return JSON.parse(extractFile(asar, 'package.json').toString()) as Record<string, unknown>;
}

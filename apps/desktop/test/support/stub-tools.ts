import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Stub of the icon tool. Writes files with the names that the real tool would use. */
const ICON_TOOL = `
const { copyFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const options = Object.fromEntries(process.argv.slice(2).map((arg) => arg.slice(2).split('=')));
mkdirSync(options.out, { recursive: true });
const picture = readFileSync(options.input);
if (options.format === 'set') {
  for (const size of [16, 256, 512]) copyFileSync(options.input, join(options.out, size + 'x' + size + '.png'));
} else if (options.format === 'icns') {
  writeFileSync(join(options.out, 'icon.icns'), Buffer.concat([Buffer.from('icns'), picture]));
} else {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(picture.length, 14);
  head.writeUInt32LE(22, 18);
  writeFileSync(join(options.out, 'icon.ico'), Buffer.concat([head, picture]));
}
`;

/** Stub of 7-Zip. Creates an archive without contents. */
const SEVEN_ZIP = `#!/bin/sh
for argument; do
  case "$argument" in *.7z|*.zip) printf archive > "$argument" ;; esac
done
`;

/** Stub of `codesign`. Records its arguments and the checksums of the files to sign. */
const codesign = (record: string) => `#!/bin/sh
for argument; do app=$argument; done
{
  printf '%s ' "$@"; echo
  find "$app" -type f -exec cksum {} + | sort
} > "${record}$(basename "$(dirname "$app")")"
`;

/** The recorded calls of the stubs. */
export interface ToolStubs {
  /** Returns the arguments of `codesign` and the `cksum` of every file at that time, by folder of the app. */
  readCodesign: (appFolder: string) => Promise<{ args: string; sums: string }>;
}

/**
 * Replaces the tools that electron-builder would download, and those that exist only on macOS, with stubs. Changes
 * the environment of this process.
 */
export async function useToolStubs(folder: string): Promise<ToolStubs> {
  const elevate = join(folder, 'nsis');
  await mkdir(elevate, { recursive: true });
  const record = join(folder, 'codesign-');
  const write = (name: string, content: string) =>
    writeFile(join(folder, name), content, { mode: 0o755 });
  await write('icon-tool.js', ICON_TOOL);
  await write('7za', SEVEN_ZIP);
  await write('codesign', codesign(record));
  await writeFile(join(elevate, 'elevate.exe'), '');
  Object.assign(process.env, {
    CSC_IDENTITY_AUTO_DISCOVERY: 'false',
    ELECTRON_BUILDER_ICONS_TOOLSET_DIR: folder,
    ELECTRON_BUILDER_7ZIP_PATH: join(folder, '7za'),
    ELECTRON_BUILDER_NSIS_DIR: elevate,
    PATH: [folder, process.env['PATH']].join(delimiter),
  });
  return {
    readCodesign: async (appFolder) => {
      const [args = '', ...sums] = (await readFile(record + appFolder, 'utf8')).split('\n');
      return { args, sums: sums.join('\n') };
    },
  };
}

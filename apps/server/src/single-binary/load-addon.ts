import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';

/**
 * Loads a native addon from inside the single binary. Operating systems load code only from files, so
 * the addon is written to a file, which is deleted right away if the system allows that.
 * @throws the first error, with the code `ADDON_REFUSED`, if every folder is read-only, full, or mounted
 * noexec.
 */
export function loadAddon(asset: string): unknown {
  const bytes = Buffer.from(getRawAsset(asset));
  if (process.platform === 'win32') return loadFromSharedFile(bytes);
  let failure: unknown;
  for (const folder of [tmpdir(), process.env['PARLEY_DATA'], dirname(process.execPath), '.']) {
    if (folder === undefined || folder === '') continue;
    try {
      return loadFromTemporaryFile(bytes, folder);
    } catch (error) {
      failure ??= error;
    }
  }
  const message = failure instanceof Error ? failure.message : String(failure);
  throw Object.assign(new Error(message, { cause: failure }), { code: 'ADDON_REFUSED' });
}

/** Loads the addon from a new private folder, in which other users cannot replace the file. */
function loadFromTemporaryFile(bytes: Buffer, parent: string): unknown {
  const folder = mkdtempSync(join(parent, 'parley-native-'));
  try {
    const file = join(folder, 'addon.node');
    writeFileSync(file, bytes, { mode: 0o500, flag: 'wx' });
    return openAddon(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads the addon from a shared file, because Windows locks a loaded file until the process ends. */
function loadFromSharedFile(bytes: Buffer): unknown {
  const hash = digest(bytes);
  const local = process.env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local');
  const folder = join(local, 'Parley', 'native');
  const file = join(folder, `${hash}.node`);
  if (!existsSync(file) || digest(readFileSync(file)) !== hash) {
    mkdirSync(folder, { recursive: true });
    const part = `${file}.${process.pid}`;
    writeFileSync(part, bytes);
    renameSync(part, file);
  }
  return openAddon(file);
}

function openAddon(file: string): unknown {
  const addon = { exports: {} };
  process.dlopen(addon, file);
  return addon.exports;
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

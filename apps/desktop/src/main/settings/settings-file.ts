import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { defaultSettings, parseSettings, type Settings } from './settings.ts';

/** The app's settings, in memory and in a file that is replaced atomically. */
export interface SettingsFile {
  readonly get: () => Settings;
  /** Applies a change at once and writes the file soon after. */
  readonly change: (change: (settings: Settings) => Settings) => void;
  /** Resolves once everything changed so far is on the disk; rejects if the last write failed. */
  readonly saved: () => Promise<void>;
}

/**
 * Opens the settings. A missing file means defaults. An invalid one is renamed to `<file>.broken`, so that
 * nothing is lost and the app starts.
 * @throws if there is a file but it cannot be read: starting with defaults would overwrite it
 */
export async function openSettings(file: string): Promise<SettingsFile> {
  let settings = await read(file);
  let writing: Promise<void> = Promise.resolve();
  let isQueued = false;

  function queueWrite(): void {
    if (isQueued) return;
    isQueued = true;
    writing = writeAfter(writing);
    // `saved` reports a failure. Until it is called, the rejection must not count as unhandled.
    writing.catch(() => undefined);
  }

  async function writeAfter(previous: Promise<void>): Promise<void> {
    await previous.catch(() => undefined);
    isQueued = false;
    await writeWhole(file, JSON.stringify(settings, undefined, 2));
  }

  return {
    get: () => settings,
    change: (change) => {
      const next = change(settings);
      if (next === settings) return;
      settings = next;
      queueWrite();
    },
    saved: () => writing,
  };
}

async function read(file: string): Promise<Settings> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return defaultSettings();
    }
    throw error;
  }
  const settings = parseSettings(parseJson(text));
  if (settings !== undefined) return settings;
  await rename(file, `${file}.broken`).catch(() => undefined);
  return defaultSettings();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

import { rename } from 'node:fs/promises';
import { readIfExists, replaceFile } from '../files/stored-file.ts';
import { createDefaultSettings, parseSettings, type Settings } from './settings.ts';

/** The app's settings, in memory and in a file that is replaced atomically. */
export interface SettingsFile {
  readonly get: () => Settings;
  /** Applies a change immediately and writes the file in the background. */
  readonly change: (change: (settings: Settings) => Settings) => void;
  /** Resolves once all changes so far are on the disk. Rejects if the last write failed. */
  readonly saved: () => Promise<void>;
}

/**
 * Opens the settings. Uses the defaults if the file is missing or invalid. An invalid file is renamed to
 * `<file>.broken`, so that nothing is lost.
 * @throws if the file exists but cannot be read, as the defaults would overwrite it
 */
export async function openSettings(file: string): Promise<SettingsFile> {
  let settings = await read(file);
  let writing: Promise<void> = Promise.resolve();
  let isQueued = false;

  function queueWrite(): void {
    if (isQueued) return;
    isQueued = true;
    writing = writeAfter(writing);
    // `saved` reports a failure. Until then, the rejection must not count as unhandled.
    writing.catch(() => undefined);
  }

  async function writeAfter(previous: Promise<void>): Promise<void> {
    await previous.catch(() => undefined);
    isQueued = false;
    await replaceFile(file, JSON.stringify(settings, undefined, 2));
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
  const content = await readIfExists(file);
  if (content === undefined) return createDefaultSettings();
  const settings = parseSettings(parseJson(content.toString('utf8')));
  if (settings !== undefined) return settings;
  await rename(file, `${file}.broken`).catch(() => undefined);
  return createDefaultSettings();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

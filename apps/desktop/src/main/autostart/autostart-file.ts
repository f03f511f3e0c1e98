import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { autostartEntry, isEntryEnabled } from './autostart-entry.ts';

/** The app's autostart entry on a Linux desktop. */
export interface AutostartFile {
  isEnabled: () => boolean;
  /** @throws if the file cannot be written or removed */
  setEnabled: (isEnabled: boolean) => void;
}

/**
 * Opens the entry, and points one that is in effect to where the program is now: an AppImage may have
 * been moved since.
 * @param program absolute path of what starts the app
 */
export function openAutostartFile(file: string, program: string, name: string): AutostartFile {
  const entry = autostartEntry(program, name);
  const found = read(file);
  const isEnabled = (): boolean => isEntryEnabled(read(file) ?? 'Hidden=true');

  function write(): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry);
  }

  if (found !== undefined && found !== entry && isEntryEnabled(found)) {
    try {
      write();
    } catch {
      // The old entry stays, and Settings shows what is in effect.
    }
  }
  return {
    isEnabled,
    setEnabled: (isOn) => {
      if (isOn) write();
      else rmSync(file, { force: true });
    },
  };
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

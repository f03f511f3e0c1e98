import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createAutostartEntry, isEntryEnabled } from './autostart-entry.ts';

/** The app's autostart entry on a Linux desktop. */
export interface AutostartFile {
  isEnabled: () => boolean;
  /** @throws if the file cannot be written or removed */
  setEnabled: (isEnabled: boolean) => void;
}

/**
 * Opens the entry. Updates the path of an enabled entry, as an AppImage may have been moved or renamed.
 * @param program absolute path of the program that starts the app
 * @param name the app's name as the desktop shows it
 */
export function openAutostartFile(file: string, program: string, name: string): AutostartFile {
  const entry = createAutostartEntry(program, name);
  const previous = read(file);
  const isEnabled = (): boolean => {
    const current = read(file);
    return current !== undefined && isEntryEnabled(current);
  };

  function write(): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, entry);
  }

  if (previous !== undefined && previous !== entry && isEntryEnabled(previous)) {
    try {
      write();
    } catch {
      // The outdated entry stays. The next start of the app tries again.
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

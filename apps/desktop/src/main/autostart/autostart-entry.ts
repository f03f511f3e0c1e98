/** Argument that marks a start at login, where the desktop's panel may start later than the app. */
export const AT_LOGIN = '--at-login';

/**
 * Returns the XDG autostart entry that starts a program at login. Desktops ignore it once the program is removed.
 * @param program absolute path
 */
export function createAutostartEntry(program: string, name: string): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${name}`,
    `Exec=${escapeValue(quoteArgument(program))} ${AT_LOGIN}`,
    `TryExec=${escapeValue(program)}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}

/** Returns whether an entry is enabled. Desktops disable an entry with a line instead of deleting it. */
export function isEntryEnabled(entry: string): boolean {
  return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/im.test(entry);
}

function quoteArgument(text: string): string {
  const escaped = text.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return `"${escaped}"`;
}

/** Escapes a value with backslashes, which the format requires in addition to the quotes of an argument. */
function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`);
}

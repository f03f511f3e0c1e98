/** Argument of a start at login. Only there may the desktop's panel be later than the app. */
export const AT_LOGIN = '--at-login';

/**
 * The XDG autostart entry that starts a program at login. Desktops ignore it once the program is gone.
 * @param program absolute path
 */
export function autostartEntry(program: string, name: string): string {
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

/** Whether an entry is in effect: desktops switch one off with a line instead of deleting it. */
export function isEntryEnabled(entry: string): boolean {
  return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)\s*$/im.test(entry);
}

function quoteArgument(text: string): string {
  const escaped = text.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return `"${escaped}"`;
}

/** Every value of the file is read with backslash escapes, also one that was quoted already. */
function escapeValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', String.raw`\n`);
}

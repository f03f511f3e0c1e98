/** A text that is the address of a picture or of a page, which browsers copy together with a picture. */
const ADDRESS = /^(?:https?|file|blob|data):\S+$/i;

/**
 * Returns whether a clipboard with files has words to paste instead. Office programs copy words together with a picture
 * of them. File managers and browsers copy files together with their names, paths or addresses.
 */
export function hasPastedWords(clipboard: Pick<DataTransfer, 'files' | 'getData'>): boolean {
  const names = new Set(Array.from(clipboard.files, ({ name }) => name.normalize('NFC')));
  const lines = clipboard
    .getData('text/plain')
    .normalize('NFC')
    .trim()
    .split(/\s*[\r\n]\s*/);
  if (lines.join('') === '') return false;
  if (clipboard.getData('text/html') !== '') return true;
  return !lines.every((line) => ADDRESS.test(line) || names.has(lastSegment(line)));
}

function lastSegment(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

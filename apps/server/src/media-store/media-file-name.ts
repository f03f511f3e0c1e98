const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const UPLOAD = new RegExp(String.raw`^${ID}\.[a-z0-9]{3,4}$`);
const EXPORT = new RegExp(String.raw`^export-${ID}\.zip$`);

/** Returns whether `name` has the form of an upload's file: `<id>.<extension>`. */
export function isMediaFile(name: string): boolean {
  return UPLOAD.test(name);
}

/**
 * Returns whether `name` has the form of an export's file: `export-<id>.zip`. Servers of versions without exports
 * would take one with the name of an upload for a leftover and delete it.
 */
export function isExportFile(name: string): boolean {
  return EXPORT.test(name);
}

/** Returns whether `name` has the form of a file in the media store. */
export function isStoredFile(name: string): boolean {
  return isMediaFile(name) || isExportFile(name);
}

/** Returns the name of the file of an export. */
export function exportFileOf(id: string): string {
  return `export-${id}.zip`;
}

/** Returns the id of the upload that has a file. */
export function mediaIdOf(file: string): string {
  return file.slice(0, file.lastIndexOf('.'));
}

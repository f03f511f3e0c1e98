const FILE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{3,4}$/;

/** Returns whether `name` has the form of an upload's file: `<id>.<extension>`. */
export function isMediaFile(name: string): boolean {
  return FILE.test(name);
}

/** Returns the id of the upload that has a file. */
export function mediaIdOf(file: string): string {
  return file.slice(0, file.lastIndexOf('.'));
}

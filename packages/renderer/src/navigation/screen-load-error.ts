/** The code or the texts of a screen could not be loaded: the server is unreachable or was updated. */
export class ScreenLoadError extends Error {
  constructor(cause: unknown) {
    super('A screen could not be loaded', { cause });
    this.name = 'ScreenLoadError';
  }
}

/** Thrown if the object store fails. The message is a sentence for the operator. */
export class MediaStoreError extends Error {
  override readonly name = 'MediaStoreError';
  /** Recognized where this class is out of reach. */
  readonly code = 'MEDIA_STORE';
  /** Whether the failure may pass: of the connection, of the store itself, or under load. */
  readonly isTemporary: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isTemporary?: boolean } = {}) {
    super(message, options);
    this.isTemporary = options.isTemporary ?? false;
  }
}

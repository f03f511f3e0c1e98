/** Thrown if the object store fails. The message is a sentence for the operator. */
export class MediaStoreError extends Error {
  override readonly name = 'MediaStoreError';
  /** Recognized where this class is out of reach. */
  readonly code = 'MEDIA_STORE';
}

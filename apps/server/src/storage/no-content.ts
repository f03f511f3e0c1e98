/** The values of a deleted message, which keeps nothing of its content. */
export const NO_CONTENT = {
  content: '',
  media_id: null,
  reply_to_id: null,
  album_id: null,
  is_forwarded: 0,
};

/**
 * `deleted_at` of a message that was erased because no member saw it any more. What happens to it later has the same
 * effects as before, so that neither member notices what the other has deleted.
 */
export const UNSEEN = 0;

/** Returns whether a message was deleted for both members, by its stored `deleted_at`. */
export function isDeletedForBoth(deletedAt: number | null): boolean {
  return deletedAt !== null && deletedAt !== UNSEEN;
}

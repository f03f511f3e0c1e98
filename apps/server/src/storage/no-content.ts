/** The values of a deleted message, which keeps nothing of its content. */
export const NO_CONTENT = {
  content: '',
  media_id: null,
  reply_to_id: null,
  album_id: null,
  is_forwarded: 0,
};

/** Path to which the system posts shared content, and of the screen that shows it. */
export const SHARE_PATH = '/share';

/** Parameter of the path with the id of the content. */
export const SHARE_ID_PARAM = 'id';

/** Parameter of the path with the reason why the content was not stored. */
export const SHARE_ERROR_PARAM = 'error';

/** Why content was not stored. `missed` if no service worker received it. */
export const SHARE_ERRORS = ['unreadable', 'storage', 'full', 'nothing', 'missed'] as const;

/** One of {@link SHARE_ERRORS}. */
export type ShareError = (typeof SHARE_ERRORS)[number];

/** Returns the path of the screen that explains why content was not stored. */
export function shareErrorPath(error: ShareError): string {
  return `${SHARE_PATH}?${SHARE_ERROR_PARAM}=${error}`;
}

const SCREENS = 'packages/renderer/src/';
const FEATURES = `${SCREENS}features/`;
const CHATROOM = `${FEATURES}chatroom/`;
const CLIENT = 'packages/client/src/';

/**
 * How the names of the component tests begin that find most faults of a folder, for a quick run after a change. The
 * longest folder counts.
 */
export const COMPONENT_TESTS: Readonly<Record<string, readonly string[]>> = {
  [`${FEATURES}about/`]: ['information-pages'],
  [`${FEATURES}chat-list/`]: ['chat-list-', 'two-panes'],
  [CHATROOM]: ['unusual-responses', 'mark-as-read-errors', 'left-chatroom'],
  [`${CHATROOM}audio/`]: ['voice-recordings', 'failed-images'],
  [`${CHATROOM}composer/`]: ['text-box-size', 'chatroom-drafts', 'edited-text'],
  [`${CHATROOM}consent/`]: ['answered-request', 'collapsed-requests'],
  [`${CHATROOM}gallery/`]: ['media-gallery'],
  [`${CHATROOM}image/`]: ['viewed-images', 'zoomed-images', 'several-chosen-images', 'failed-'],
  [`${CHATROOM}messages/`]: ['shown-', 'grouped-messages', 'deleted-message', 'refused-message'],
  [`${CHATROOM}messages/menu/`]: ['message-menu-opening', 'deleted-message'],
  [`${CHATROOM}messages/reactions/`]: ['picked-reactions', 'reaction-notices'],
  [`${CHATROOM}recorder/`]: ['voice-recordings', 'left-chatroom', 'microphone-errors'],
  [`${FEATURES}connection/`]: ['connection-after-sleep', 'announced-messages'],
  [`${FEATURES}deleted-account/`]: ['deleted-partner'],
  [`${FEATURES}find-user/`]: ['refused-partners', 'failed-screens'],
  [`${FEATURES}invite/`]: ['refused-invitations'],
  [`${FEATURES}login/`]: ['login-', 'form-errors', 'first-visit'],
  [`${FEATURES}new-chatroom/`]: ['first-message', 'waiting-first-message'],
  [`${FEATURES}not-found/`]: ['information-pages', 'ending-animations'],
  [`${FEATURES}privacy/`]: ['information-pages'],
  [`${FEATURES}profile/`]: ['information-pages'],
  [`${FEATURES}register/`]: ['form-errors'],
  [`${FEATURES}reset/`]: ['form-errors'],
  [`${FEATURES}settings/`]: ['language-setting', 'ended-sessions'],
  [`${FEATURES}shell/`]: ['header-width', 'unread-title', 'page-history', 'back-gesture'],
  [`${SCREENS}client/`]: ['announced-messages', 'connection-after-sleep'],
  [`${SCREENS}shared/input-bar/emoji/`]: ['emoji-display', 'picked-reactions'],
  [`${SCREENS}ui/`]: ['toast-', 'overlay-violations'],
  [`${CLIENT}intents/`]: ['offline-reaction'],
  [`${CLIENT}offline-copy/`]: ['stored-copy'],
  [`${CLIENT}outbox/`]: ['refused-message', 'waiting-first-message'],
  [`${CLIENT}storage/`]: ['stored-copy', 'missing-keyring'],
  [`${CLIENT}sync/`]: ['announced-messages'],
  'apps/web/src/': ['desktop-page'],
};

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
  [`${FEATURES}chat-list/`]: ['chat-list-', 'chat-menu-effects', 'folded-requests'],
  [`${FEATURES}chat-list/search/`]: ['searched-chats'],
  [CHATROOM]: ['chatroom-opening-position', 'unusual-responses', 'partner-status', 'left-chatroom'],
  [`${CHATROOM}audio/`]: ['voice-recordings', 'failed-images'],
  [`${CHATROOM}composer/`]: ['text-box-size', 'chatroom-drafts', 'edited-', 'sent-albums'],
  [`${CHATROOM}consent/`]: ['answered-request', 'undecided-chat', 'reported-messages'],
  [`${CHATROOM}gallery/`]: ['media-gallery'],
  [`${CHATROOM}image/`]: ['viewed-images', 'zoomed-images', 'several-chosen-images', 'failed-'],
  [`${CHATROOM}jumps/`]: ['quoted-messages'],
  [`${CHATROOM}messages/`]: [
    'shown-',
    'grouped-messages',
    'deleted-message',
    'steady-',
    'refused-message',
  ],
  [`${CHATROOM}messages/forward/`]: ['forwarded-messages'],
  [`${CHATROOM}messages/menu/`]: ['message-menu-', 'chosen-menu-entries', 'pressed-messages'],
  [`${CHATROOM}messages/reactions/`]: ['picked-reactions', 'reaction-notices', 'toggled-reactions'],
  [`${CHATROOM}people/`]: ['blocked-chat', 'reported-messages'],
  [`${CHATROOM}recorder/`]: ['voice-recordings', 'left-chatroom', 'microphone-errors'],
  [`${CHATROOM}replies/`]: ['quoted-messages'],
  [`${CHATROOM}search/`]: ['searched-chatroom'],
  [`${CHATROOM}selection/`]: ['selected-messages'],
  [`${FEATURES}connection/`]: ['connection-after-sleep', 'outdated-content'],
  [`${FEATURES}deleted-account/`]: ['deleted-partner'],
  [`${FEATURES}find-user/`]: ['find-user-results', 'refused-partners', 'failed-screens'],
  [`${FEATURES}frame/`]: [
    'header-width',
    'unread-title',
    'page-history',
    'back-gesture',
    'notification-offer',
  ],
  [`${FEATURES}invite/`]: ['created-invitations', 'refused-invitations', 'accepted-invitation'],
  [`${FEATURES}login/`]: ['login-', 'account-forms', 'form-errors', 'first-visit'],
  [`${FEATURES}new-chatroom/`]: ['first-message', 'waiting-first-message'],
  [`${FEATURES}not-found/`]: ['information-pages', 'ending-animations', 'unknown-chatrooms'],
  [`${FEATURES}privacy/`]: ['information-pages'],
  [`${FEATURES}profile/`]: ['information-pages'],
  [`${FEATURES}register/`]: ['account-forms', 'form-errors'],
  [`${FEATURES}reset/`]: ['account-forms', 'form-errors'],
  [`${FEATURES}settings/`]: [
    'changed-settings',
    'language-setting',
    'ended-sessions',
    'contact-settings',
  ],
  [`${FEATURES}settings/notifications/`]: ['notification-delivery'],
  [`${FEATURES}shortcuts/`]: ['keyboard-shortcuts'],
  [`${FEATURES}verify/`]: ['account-forms'],
  [`${SCREENS}client/`]: ['announced-messages', 'connection-after-sleep'],
  [`${SCREENS}navigation/`]: ['page-history', 'back-gesture', 'toast-navigation'],
  [`${SCREENS}shared/input-bar/emoji/`]: ['emoji-', 'picked-reactions'],
  [`${SCREENS}shared/invitations/`]: ['first-chat', 'created-invitations'],
  [`${SCREENS}ui/`]: ['toast-', 'overlay-violations'],
  [`${CLIENT}outbox/changes/`]: ['offline-reaction', 'offline-changes'],
  [`${CLIENT}offline-copy/`]: ['stored-copy', 'outdated-content'],
  [`${CLIENT}outbox/`]: ['refused-message', 'waiting-first-message', 'sent-albums'],
  [`${CLIENT}storage/`]: ['stored-copy', 'missing-keyring'],
  [`${CLIENT}sync/`]: ['announced-messages', 'outdated-content'],
  'apps/web/src/': ['desktop-page'],
};

const FEATURES = 'packages/renderer/src/features/';
const CHATROOM = `${FEATURES}chatroom/`;
const CLIENT = 'packages/client/src/';
const WEB = 'apps/web/src/';

/**
 * The browser test that finds most faults of a folder, for a quick run after a change. The longest folder counts. The
 * whole suite finds more.
 */
export const BROWSER_TESTS: Readonly<Record<string, string>> = {
  [`${FEATURES}about/`]: 'pages',
  [`${FEATURES}chat-list/`]: 'chat-menu',
  [`${FEATURES}chat-list/search/`]: 'conversation',
  [CHATROOM]: 'chatroom',
  [`${CHATROOM}audio/`]: 'recording',
  [`${CHATROOM}composer/`]: 'composing',
  [`${CHATROOM}consent/`]: 'requests',
  [`${CHATROOM}image/`]: 'images',
  [`${CHATROOM}jumps/`]: 'quoting',
  [`${CHATROOM}messages/`]: 'conversation',
  [`${CHATROOM}messages/menu/`]: 'message-menu',
  [`${CHATROOM}people/`]: 'blocking',
  [`${CHATROOM}recorder/`]: 'recording',
  [`${CHATROOM}replies/`]: 'quoting',
  [`${CHATROOM}search/`]: 'conversation',
  [`${FEATURES}connection/`]: 'live',
  [`${FEATURES}deleted-account/`]: 'accounts',
  [`${FEATURES}find-user/`]: 'conversation',
  [`${FEATURES}frame/`]: 'pages',
  [`${FEATURES}invite/`]: 'invitations',
  [`${FEATURES}login/`]: 'accounts',
  [`${FEATURES}new-chatroom/`]: 'requests',
  [`${FEATURES}not-found/`]: 'pages',
  [`${FEATURES}privacy/`]: 'pages',
  [`${FEATURES}profile/`]: 'pages',
  [`${FEATURES}register/`]: 'accounts',
  [`${FEATURES}reset/`]: 'accounts',
  [`${FEATURES}restore-email/`]: 'settings',
  [`${FEATURES}settings/`]: 'settings',
  [`${FEATURES}share/`]: 'share-target',
  [`${FEATURES}shortcuts/`]: 'conversation',
  [`${FEATURES}verify/`]: 'accounts',
  'packages/renderer/src/': 'conversation',
  'packages/renderer/src/sounds/': 'sounds',
  'packages/renderer/src/ui/': 'settings',
  [CLIENT]: 'conversation',
  [`${CLIENT}offline-copy/`]: 'stored-on-device',
  [`${CLIENT}outbox/`]: 'unsent-after-reload',
  [`${CLIENT}search/`]: 'conversation',
  [`${CLIENT}storage/`]: 'stored-on-device',
  [`${CLIENT}sync/`]: 'live',
  [WEB]: 'conversation',
  [`${WEB}service-worker/`]: 'service-worker',
  [`${WEB}shared-content/`]: 'share-target',
};

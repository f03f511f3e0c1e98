/** Every channel between a page and the main process; both ends take the names from here. */
export const CHANNELS = {
  /** Synchronous, once a page: what the bridge has to know from the start. */
  start: 'parley:start',
  notify: 'parley:notify',
  isDoNotDisturb: 'parley:is-do-not-disturb',
  withdraw: 'parley:withdraw',
  testNotification: 'parley:test-notification',
  setUnread: 'parley:set-unread',
  microphone: 'parley:microphone',
  openMicrophoneSettings: 'parley:open-microphone-settings',
  manageServers: 'parley:manage-servers',
  reviewCertificate: 'parley:review-certificate',
  setPreferences: 'parley:set-preferences',
  setLanguage: 'parley:set-language',
  /** The page listens from now on. */
  ready: 'parley:ready',
  /** To the page. */
  event: 'parley:event',
} as const;

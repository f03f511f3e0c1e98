/** The channels between a server's page and the main process. */
export const CHANNELS = {
  /** Requests the initial values of the bridge, synchronously and once per page. */
  start: 'parley:start',
  notify: 'parley:notify',
  isDoNotDisturb: 'parley:is-do-not-disturb',
  withdrawNotification: 'parley:withdraw-notification',
  testNotification: 'parley:test-notification',
  setUnread: 'parley:set-unread',
  getMicrophoneState: 'parley:get-microphone-state',
  openMicrophoneSettings: 'parley:open-microphone-settings',
  manageServers: 'parley:manage-servers',
  checkForUpdates: 'parley:check-for-updates',
  reviewCertificate: 'parley:review-certificate',
  setPreferences: 'parley:set-preferences',
  setLanguage: 'parley:set-language',
  storageKey: 'parley:storage-key',
  /** Reports that the page no longer waits for an upload, which is canceled if it is not complete. */
  endUpload: 'parley:end-upload',
  /** Sends the progress of an upload to the page. */
  uploadProgress: 'parley:upload-progress',
  /** Reports that the page listens for events. */
  ready: 'parley:ready',
  /** Sends an event to the page. */
  event: 'parley:event',
} as const;

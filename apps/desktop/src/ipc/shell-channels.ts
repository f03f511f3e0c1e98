/** Channels of the app's own small windows. */
export const SHELL_CHANNELS = {
  start: 'parley-shell:start',
  check: 'parley-shell:check',
  add: 'parley-shell:add',
  open: 'parley-shell:open',
  remove: 'parley-shell:remove',
} as const;

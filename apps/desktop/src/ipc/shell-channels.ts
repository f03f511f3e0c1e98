/** The channels between the app's own windows and the main process. */
export const SHELL_CHANNELS = {
  start: 'parley-shell:start',
  check: 'parley-shell:check',
  add: 'parley-shell:add',
  open: 'parley-shell:open',
  remove: 'parley-shell:remove',
} as const;

import { expect, test } from 'vitest';
import { describeReach } from './describe-reach.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const APP = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0 Electron/39.0.0 Safari/537.36';

test.each([
  ['receives push messages', BROWSER, true, 'closed', 'deviceClosed'],
  ['is missing in an older list of subscriptions', BROWSER, false, 'closed', 'deviceClosed'],
  ['cannot use its subscription', BROWSER, true, 'open', 'deviceOpen'],
  ['denies notifications', BROWSER, false, 'never', 'deviceNever'],
  ['denies notifications after it subscribed', BROWSER, true, 'never', 'deviceNever'],
  ['is the installed app', APP, false, 'open', 'deviceApp'],
  ['is the installed app without notifications', APP, false, 'never', 'deviceNever'],
] as const)('describes a current device that %s', (_case, device, isPushed, reach, expected) => {
  expect(describeReach({ device, isCurrent: true }, isPushed, reach)).toBe(expected);
});

test.each([
  ['receives push messages', BROWSER, true, 'deviceClosed'],
  ['may deny notifications', BROWSER, false, 'otherOpen'],
  ['is an installed app', APP, false, 'otherApp'],
] as const)(
  'describes another device that %s, whatever the current one does',
  (_case, device, isPushed, expected) => {
    for (const reach of ['closed', 'open', 'never'] as const) {
      expect(describeReach({ device, isCurrent: false }, isPushed, reach)).toBe(expected);
    }
  },
);

import type { NotificationSettings } from '@parley/contract';
import { expect, test } from 'vitest';
import { describeDelivery, type DeliveryFacts } from './describe-delivery.ts';

const NOON = Date.parse('2026-06-01T10:00:00.000Z');
const SETTINGS: NotificationSettings = {
  version: 1,
  content: 'who',
  quietHours: null,
  pausedUntil: null,
};
const NIGHT = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', isOnlySound: false };
const FACTS: DeliveryFacts = {
  permission: 'granted',
  isTurnedOff: false,
  push: 'supported',
  pushStatus: 'on',
  settings: SETTINGS,
  now: NOON,
};

/** Returns the state, the reach, and the headline, the details (both with shortened keys) and the actions. */
function describe(facts: Partial<DeliveryFacts>, settings: Partial<NotificationSettings> = {}) {
  const given = { ...FACTS, ...facts };
  const { state, reach, headline, details, actions } = describeDelivery({
    ...given,
    settings: given.settings && { ...given.settings, ...settings },
  });
  const short = (key: string) => key.split('.').at(-1);
  return [state, reach, short(headline.key), details.map(({ key }) => short(key)), actions];
}

test.each<[string, Partial<DeliveryFacts>, unknown[]]>([
  ['a subscribed browser', {}, ['on', 'closed', 'closed', ['who', 'elsewhere'], ['turnOff']]],
  [
    'a browser that is still subscribing',
    { pushStatus: 'connecting' },
    ['on', 'open', 'open', ['connecting', 'who'], ['turnOff']],
  ],
  [
    'a browser without its push service, which can also be turned off',
    { pushStatus: 'failed' },
    ['failing', 'open', 'failing', ['pushFailed', 'who'], ['retry', 'turnOff']],
  ],
  [
    'a browser whose push service the server refuses',
    { pushStatus: 'refused' },
    ['failing', 'open', 'failing', ['pushRefused', 'who'], ['retry', 'turnOff']],
  ],
  [
    'a private window that denies push messages',
    { pushStatus: 'denied' },
    ['failing', 'open', 'failing', ['pushDenied', 'who'], ['turnOff']],
  ],
  [
    'a browser without push messages',
    { push: 'unsupported', pushStatus: 'off' },
    ['on', 'open', 'open', ['pushUnsupported', 'who'], ['turnOff']],
  ],
  [
    'a browser on an older server',
    { pushStatus: 'off', settings: undefined },
    ['on', 'open', 'open', [], ['turnOff']],
  ],
  [
    'a browser that has not asked',
    { permission: 'not-asked' },
    ['off', 'never', 'notAsked', [], ['turnOn']],
  ],
  ['a browser that is turned off', { isTurnedOff: true }, ['off', 'never', 'off', [], ['turnOn']]],
  [
    'a browser that was turned off while its push service could not be reached',
    { isTurnedOff: true, pushStatus: 'failed' },
    ['off', 'never', 'off', [], ['turnOn']],
  ],
  [
    'a browser that blocks',
    { permission: 'denied' },
    ['blocked', 'never', 'blocked', ['blocked'], []],
  ],
  [
    'a browser without notifications',
    { permission: 'unsupported', push: 'unsupported' },
    ['blocked', 'never', 'unsupported', ['unsupported'], []],
  ],
  [
    'a page without HTTPS',
    { permission: 'unsupported', push: 'insecure' },
    ['blocked', 'never', 'insecure', ['insecure'], []],
  ],
  [
    'an iPhone without the app on its home screen',
    { permission: 'unsupported', push: 'needs-installation' },
    ['blocked', 'never', 'install', ['install'], []],
  ],
  ['the installed app', { push: undefined }, ['on', 'open', 'app', ['app'], []]],
  [
    'the installed app without notifications',
    { push: undefined, permission: 'denied' },
    ['off', 'never', 'appOff', [], []],
  ],
])('describes %s', (_case, facts, expected) => {
  expect(describe(facts)).toEqual(expected);
});

test.each<[string, Partial<NotificationSettings>, string[]]>([
  ['what notifications say', { content: 'none' }, ['none', 'elsewhere']],
  ['a pause', { pausedUntil: '2026-06-01T10:30:00.000Z' }, ['who', 'paused', 'elsewhere']],
  ['no pause that is over', { pausedUntil: '2026-06-01T09:30:00.000Z' }, ['who', 'elsewhere']],
  ['quiet hours that come', { quietHours: NIGHT }, ['who', 'quietLater', 'elsewhere']],
  [
    'quiet hours now',
    { quietHours: { ...NIGHT, from: '11:30', to: '13:00' } },
    ['who', 'quietNow', 'elsewhere'],
  ],
  [
    'quiet hours that only mute the sound',
    { quietHours: { ...NIGHT, isOnlySound: true } },
    ['who', 'quietLaterSound', 'elsewhere'],
  ],
  [
    'quiet hours that never end',
    { quietHours: { ...NIGHT, to: '22:00' } },
    ['who', 'quietAlways', 'elsewhere'],
  ],
])('describes %s', (_case, settings, expected) => {
  expect(describe({}, settings)[3]).toEqual(expected);
});

test('gives the times with the texts', () => {
  const pausedUntil = '2026-06-01T10:30:00.000Z';
  const settings = { ...SETTINGS, quietHours: NIGHT, pausedUntil };
  const { details } = describeDelivery({ ...FACTS, settings });
  expect(details.slice(1, 3)).toEqual([
    { key: 'notifications.detail.paused', until: pausedUntil },
    { key: 'notifications.detail.quietLater', values: { from: '22:00', to: '07:00' } },
  ]);
});

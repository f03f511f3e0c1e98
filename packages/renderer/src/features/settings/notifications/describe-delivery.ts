import { isWithinHours, type NotificationSettings } from '@parley/contract';
import type { NotificationState, PushSupport } from '../../../host/host.ts';
import type { PushStatus } from '../../../client/push-registration.ts';

/** What decides how a device notifies the user. */
export interface DeliveryFacts {
  permission: NotificationState;
  /** Whether the user has turned off notifications in this browser. */
  isTurnedOff: boolean;
  /** Undefined in the installed app, which does not need push messages. */
  push: PushSupport | undefined;
  pushStatus: PushStatus;
  /** Undefined with older servers. */
  settings: NotificationSettings | undefined;
  /** Milliseconds since 1970. */
  now: number;
}

/** A text with the values for its placeholders. */
export interface DeliveryText {
  key: DeliveryKey;
  /** Times of day as HH:MM. */
  values?: { from?: string; to?: string };
  /** A point in time, ISO 8601. */
  until?: string;
}

type DeliveryKey =
  | `notifications.delivery.${'closed' | 'open' | 'app' | 'appOff' | 'off' | 'notAsked' | 'failing'}`
  | `notifications.delivery.${'blocked' | 'unsupported' | 'insecure' | 'install'}`
  | `notifications.detail.${'blocked' | 'unsupported' | 'insecure' | 'install' | 'connecting'}`
  | `notifications.detail.${'pushFailed' | 'pushRefused' | 'pushDenied' | 'pushUnsupported'}`
  | `notifications.detail.${'none' | 'who' | 'whoAndWhat' | 'app' | 'elsewhere' | 'paused'}`
  | `notifications.detail.${'quietNow' | 'quietLater' | 'quietAlways'}${'' | 'Sound'}`;

/** The names of the texts of a group. */
type Names<Group extends string, Key = DeliveryKey> = Key extends `${Group}.${infer Name}`
  ? Name
  : never;

/** What will happen on this device, in words, and what the user can do about it. */
export interface Delivery {
  state: 'on' | 'failing' | 'off' | 'blocked';
  /** When notifications arrive: also while Parley is `closed`, only while it is `open`, or `never`. */
  reach: 'closed' | 'open' | 'never';
  headline: DeliveryText;
  details: DeliveryText[];
  /** The most important one first. */
  actions: DeliveryAction[];
}

/** What the user can do about notifications on a device. */
export type DeliveryAction = 'turnOn' | 'turnOff' | 'retry';

/** Describes what will happen on this device when a message arrives. */
export function describeDelivery(facts: DeliveryFacts): Delivery {
  const { permission, isTurnedOff, push, settings } = facts;
  if (push === undefined) return describeApp(facts);
  if (push === 'insecure') return unavailable('insecure');
  if (push === 'needs-installation') return unavailable('install');
  if (permission === 'unsupported') return unavailable('unsupported');
  if (permission === 'denied') return unavailable('blocked');
  if (permission === 'not-asked') return turnedOff('notAsked');
  if (isTurnedOff) return turnedOff('off');
  const { pushStatus } = facts;
  const isReached = pushStatus === 'on';
  const isFailing = isFailure(pushStatus);
  return {
    state: isFailing ? 'failing' : 'on',
    reach: isReached ? 'closed' : 'open',
    headline: headline(isFailing ? 'failing' : isReached ? 'closed' : 'open'),
    details: [
      ...describePush(facts),
      ...(settings ? [detail(settings.content)] : []),
      ...describeQuiet(facts),
      ...(isReached ? [detail('elsewhere')] : []),
    ],
    actions: canRetry(pushStatus) ? ['retry', 'turnOff'] : ['turnOff'],
  };
}

function isFailure(status: PushStatus): boolean {
  return canRetry(status) || status === 'denied';
}

function canRetry(status: PushStatus): boolean {
  return status === 'failed' || status === 'refused';
}

function describeApp(facts: DeliveryFacts): Delivery {
  if (facts.permission !== 'granted') {
    return { ...NEVER, state: 'off', headline: headline('appOff') };
  }
  const details = [detail('app'), ...describeQuiet(facts)];
  return { state: 'on', reach: 'open', headline: headline('app'), details, actions: [] };
}

const NEVER = { reach: 'never', details: [], actions: [] } satisfies Partial<Delivery>;

function turnedOff(name: 'notAsked' | 'off'): Delivery {
  return { ...NEVER, state: 'off', headline: headline(name), actions: ['turnOn'] };
}

function unavailable(reason: 'insecure' | 'install' | 'unsupported' | 'blocked'): Delivery {
  return { ...NEVER, state: 'blocked', headline: headline(reason), details: [detail(reason)] };
}

function describePush({ push, pushStatus }: DeliveryFacts): DeliveryText[] {
  if (push !== 'supported') return [detail('pushUnsupported')];
  if (pushStatus === 'connecting') return [detail('connecting')];
  if (pushStatus === 'refused') return [detail('pushRefused')];
  if (pushStatus === 'denied') return [detail('pushDenied')];
  if (pushStatus === 'failed') return [detail('pushFailed')];
  return [];
}

function describeQuiet({ settings, now }: DeliveryFacts): DeliveryText[] {
  if (!settings) return [];
  const { pausedUntil, quietHours } = settings;
  const texts: DeliveryText[] = [];
  if (pausedUntil !== null && Date.parse(pausedUntil) > now) {
    texts.push({ key: 'notifications.detail.paused', until: pausedUntil });
  }
  if (quietHours) {
    const { from, to, isOnlySound } = quietHours;
    const when = isWithinHours(quietHours, now) ? 'quietNow' : 'quietLater';
    const which = from === to ? 'quietAlways' : when;
    texts.push({
      key: `notifications.detail.${which}${isOnlySound ? 'Sound' : ''}`,
      values: { from, to },
    });
  }
  return texts;
}

function headline(name: Names<'notifications.delivery'>): DeliveryText {
  return { key: `notifications.delivery.${name}` };
}

function detail(name: Names<'notifications.detail'>): DeliveryText {
  return { key: `notifications.detail.${name}` };
}

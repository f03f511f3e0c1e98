import fc from 'fast-check';
import type { Shared } from './model/partner-facts.ts';
import type { EventFault, RequestFault } from './world/network.ts';

/** Chooses a tab: one of two or three, and at the end of five. */
const tab = fc.nat({ max: 59 });
const pick = fc.nat({ max: 20 });

const requestFault = fc.constantFrom<RequestFault[]>(
  'none',
  'lose-request',
  'lose-response',
  'hold-response',
);
const eventFault = fc.constantFrom<EventFault[]>('none', 'lose', 'double', 'hold');

const SETTINGS = ['pin', 'unpin', 'archive', 'unarchive', 'mute', 'unmute', 'mark'] as const;

/** A change of a setting of a chat. */
export type ChatSettingName = (typeof SETTINGS)[number];

const onTab = <const Name extends string>(name: Name) => fc.record({ do: fc.constant(name), tab });

const editStep = fc.record({ do: fc.constant('edit' as const), tab, pick });
const deleteStep = fc.record({
  do: fc.constant('delete' as const),
  tab,
  pick,
  /** Whether it is a part of an album, if there is any. */
  isOfAlbum: fc.boolean(),
});
const replyStep = fc.record({
  do: fc.constant('reply' as const),
  tab,
  pick,
  // Else one that was ever shown, and may be deleted.
  isToShown: fc.boolean(),
});
const setStep = fc.record({
  do: fc.constant('set' as const),
  tab,
  setting: fc.constantFrom(...SETTINGS),
});

/** Generates an action of a user without a connection. */
const stepApart = fc.oneof(
  { weight: 6, arbitrary: setStep },
  { weight: 2, arbitrary: onTab('read') },
  { weight: 1, arbitrary: editStep },
  { weight: 2, arbitrary: deleteStep },
  { weight: 1, arbitrary: replyStep },
);

/** Generates an action of a user, a network or the server. */
const step = fc.oneof(
  { weight: 8, arbitrary: onTab('send') },
  { weight: 4, arbitrary: editStep },
  { weight: 4, arbitrary: deleteStep },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('react' as const),
      tab,
      pick,
      emoji: fc.constantFrom('👍', ':circassia:'),
      isOn: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: replyStep },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('forward' as const),
      tab,
      pick,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('send-album' as const),
      tab,
      count: fc.integer({ min: 1, max: 3 }),
      hasCaption: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: onTab('type') },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('use' as const), tab, isActive: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('share' as const),
      tab,
      what: fc.constantFrom<Shared[]>('sharesReceipts', 'sharesTyping', 'sharesPresence'),
      isShared: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: onTab('read') },
  { weight: 4, arbitrary: setStep },
  { weight: 2, arbitrary: onTab('open') },
  { weight: 1, arbitrary: onTab('leave') },
  { weight: 2, arbitrary: onTab('create') },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('discard' as const), tab, pick }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('send-file' as const),
      tab,
      kind: fc.constantFrom('image' as const, 'audio' as const),
    }),
  },
  { weight: 1, arbitrary: onTab('draft') },
  { weight: 1, arbitrary: onTab('accept') },
  { weight: 1, arbitrary: onTab('decline') },
  { weight: 2, arbitrary: onTab('block') },
  { weight: 2, arbitrary: onTab('unblock') },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('storage-faults' as const),
      tab,
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: onTab('reload-list') },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('other-user-sends' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('sweep-uploads' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('pause' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('request-faults' as const),
      tab,
      faults: fc.array(requestFault, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('event-faults' as const),
      tab,
      faults: fc.array(eventFault, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: onTab('release') },
  { weight: 2, arbitrary: onTab('cut') },
  { weight: 2, arbitrary: onTab('restore') },
  { weight: 1, arbitrary: onTab('renew-connection') },
  { weight: 2, arbitrary: onTab('reload') },
  { weight: 1, arbitrary: onTab('expire') },
  { weight: 1, arbitrary: onTab('sign-in') },
);

/** One action of a user, a network or the server. */
export type Step =
  | (typeof step extends fc.Arbitrary<infer T> ? T : never)
  | { readonly do: 'restart' };

/** What the users do at the end, on devices that are started without a connection. */
export interface ApartPlan {
  readonly steps: readonly (typeof stepApart extends fc.Arbitrary<infer T> ? T : never)[];
  /** Which of the browsers is connected first. */
  readonly first: number;
  /** Whether users read on each device that is connected, which knows more than the later ones. */
  readonly isReadAfter: boolean;
}

/** The beginning, the steps and the end of a history. */
export interface Plan {
  /** Whether the two users have chatted before. */
  readonly hasChatroom: boolean;
  /** Whether the second user has accepted that chat. */
  readonly isAccepted: boolean;
  /** Whether first messages arrive at the second user as quiet requests. */
  readonly areRequestsQuiet: boolean;
  /** Whether devices are in use from the start. */
  readonly isActive: boolean;
  /** Whether the first user has a second tab, in the same browser or on another device. */
  readonly second: 'none' | 'tab' | 'device';
  /** What repairs the effects of the last fault: a reconnect or another event. */
  readonly healedBy: 'reconnect' | 'event';
  readonly steps: readonly Step[];
  /** In a third of the histories, as it takes as long as all else. */
  readonly apart: ApartPlan | undefined;
}

/** Generates plans, most of them short. With `hasRestarts`, each plan restarts the server. */
export function plans(hasRestarts: boolean): fc.Arbitrary<Plan> {
  const steps: fc.Arbitrary<Step[]> = fc.oneof(
    { weight: 9, arbitrary: fc.array(step, { minLength: 1, maxLength: 15, size: 'max' }) },
    { weight: 1, arbitrary: fc.array(step, { minLength: 15, maxLength: 60, size: 'max' }) },
  );
  return fc.record({
    hasChatroom: fc.oneof(
      { weight: 4, arbitrary: fc.constant(true) },
      { weight: 1, arbitrary: fc.constant(false) },
    ),
    isAccepted: fc.boolean(),
    areRequestsQuiet: fc.boolean(),
    isActive: fc.boolean(),
    second: fc.constantFrom<Plan['second'][]>('none', 'tab', 'device'),
    healedBy: fc.constantFrom<Plan['healedBy'][]>('reconnect', 'event'),
    steps: hasRestarts
      ? fc.tuple(steps, steps).map(([before, after]) => before.concat({ do: 'restart' }, after))
      : steps,
    apart: fc.oneof(
      { weight: 2, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc.record({
          steps: fc.array(stepApart, { maxLength: 8, size: 'max' }),
          first: pick,
          isReadAfter: fc.boolean(),
        }),
      },
    ),
  });
}

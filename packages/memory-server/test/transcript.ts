import type { EndpointName } from '@parley/contract';
import { findEventProblem } from '@parley/server/test-event-problem';
import { expect, vi } from 'vitest';
import type { ApiCall, ApiDevice, ApiSite } from './api-site.ts';

/** What happened on a server, with placeholders for what differs between two runs. */
export interface Transcript {
  readonly responses: readonly unknown[];
  readonly events: Readonly<Record<string, readonly unknown[]>>;
}

/** A device whose calls are recorded. */
export interface Actor {
  readonly call: (name: EndpointName, call?: ApiCall) => Promise<Answer>;
  readonly device: ApiDevice;
}

/** The body of a response, of which scenarios read ids. */
// oxlint-disable-next-line typescript/no-explicit-any -- scenarios read any property
export type Answer = any;

/** The participants of a scenario. */
export interface Cast {
  readonly site: ApiSite;
  /** Creates a user with a connected device. */
  readonly join: (username: string) => Promise<Actor>;
  /** Opens a browser without a session. */
  readonly guest: (name: string) => Actor;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** The test server's URLs of media do not contain the port, which it does not know when it starts. */
const UNKNOWN_PORT = 'http://localhost:0';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Values that are random, or that belong to one server. */
const OPAQUE = new Set([
  'code',
  'cursor',
  'publicKey',
  'device',
  'usermail',
  'newUsermail',
  'size',
]);

/** Plays a scenario on a server and returns what happened. */
export async function record(
  site: ApiSite,
  play: (cast: Cast) => Promise<void>,
): Promise<Transcript> {
  const normalize = createNormalizer(site.origin);
  const responses: unknown[] = [];
  const devices: [name: string, device: ApiDevice][] = [];
  const createActor = (name: string, device: ApiDevice): Actor => {
    devices.push([name, device]);
    return {
      device,
      call: async (endpoint, call) => {
        const { status, body } = await device.call(endpoint, call);
        responses.push(normalize({ who: name, endpoint, status, body }));
        return body;
      },
    };
  };
  await play({
    site,
    join: async (username) => {
      const actor = createActor(username, await site.signUp(username));
      await actor.device.connect();
      return actor;
    },
    guest: (name) => createActor(name, site.openGuest()),
  });
  for (const [, device] of devices) await settle(device);
  const problems = devices.flatMap(([, { events }]) =>
    events.flatMap(({ name, payload }) => findEventProblem(name, payload) ?? []),
  );
  expect(problems).toEqual([]);
  const events = devices.map(
    ([name, device]) => [name, normalize(withoutRepeatedPresence(device.events))] as const,
  );
  return { responses, events: Object.fromEntries(events) as Transcript['events'] };
}

/** Waits until the events of everything before have arrived. What is told of presence may arrive at any time. */
async function settle({ isConnected, call, events }: ApiDevice): Promise<void> {
  if (!isConnected()) return;
  const { length: from } = events;
  await call('changeVolume', { body: { volume: 'silent' } });
  const findMark = (): number =>
    events.findIndex(
      ({ payload }, index) => index >= from && JSON.stringify(payload) === '{"volume":"silent"}',
    );
  const check = (): void => {
    if (findMark() < 0) throw new Error('the last event is missing');
  };
  await vi.waitFor(check, { timeout: 30_000 });
  events.splice(findMark(), 1);
}

/**
 * Puts what a device has been told about the presence of partners into one event at the end: a server tells all of
 * it again a while after its start.
 */
function withoutRepeatedPresence(events: ApiDevice['events']): unknown[] {
  const known = new Map<string, unknown>();
  const others = events.filter(({ name }) => name !== 'presence');
  for (const { name, payload } of events) {
    if (name !== 'presence') continue;
    const { rooms, isComplete } = payload;
    if (isComplete) known.clear();
    for (const [chatroom, presence] of Object.entries(rooms)) known.set(chatroom, presence);
  }
  return known.size === 0 ? others : [...others, { presence: Object.fromEntries(known) }];
}

/** Returns a function that replaces ids, times and the origin in values with placeholders. */
function createNormalizer(origin: string): (value: unknown) => unknown {
  const ids = new Map<string, string>();
  const replaceIds = (text: string) =>
    text
      .replaceAll(origin, 'origin')
      .replaceAll(UNKNOWN_PORT, 'origin')
      .replaceAll(UUID, (id) => {
        const known = ids.get(id) ?? `id ${ids.size + 1}`;
        ids.set(id, known);
        return known;
      });

  function normalize(value: unknown, key = ''): unknown {
    if (OPAQUE.has(key) && typeof value === 'number') return 'opaque';
    if (typeof value === 'string') {
      if (TIME.test(value)) return 'time';
      return OPAQUE.has(key) ? 'opaque' : replaceIds(value);
    }
    if (Array.isArray(value)) return value.map((each) => normalize(each, key));
    if (typeof value !== 'object' || value === null) return value;
    if ('errorMessage' in value) {
      // The message is in the user's language, and the code is none of an invitation.
      const { errorMessage, ...error } = value;
      return { ...error, hasMessage: errorMessage !== '' };
    }
    const entries = Object.entries(value);
    const isEdited =
      'updatedAt' in value && 'createdAt' in value && value.updatedAt !== value.createdAt;
    return Object.fromEntries([
      ...entries.map(([name, each]) => [replaceIds(name), normalize(each, name)] as const),
      ...(isEdited ? [['isEdited', true] as const] : []),
    ]);
  }
  return (value) => normalize(value);
}

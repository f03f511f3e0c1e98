import { randomUUID } from 'node:crypto';
import type { ClientSignals, Payloads } from '@parley/contract';
import { clientSignals, type ClientSignalSchema } from '@parley/contract/schemas';
import { Type } from 'typebox';
import { describe, expect, test, vi } from 'vitest';
import { describeSignals } from '../../test/live-protocol.ts';
import type { LiveSocket } from './live-socket.ts';
import { createSignalHandlers } from './signal-handlers.ts';
import { createSignalReceiver, type SignalHandlers } from './signals.ts';

/** The payloads that have reached a handler. */
let received: unknown[];
const record = (_connection: LiveSocket, payload: unknown): void => void received.push(payload);
const HANDLERS: SignalHandlers<ClientSignals> = {
  typing: record,
  presence: record,
  attend: record,
};
const connection = {} as LiveSocket;

function receive(name: string, payload: unknown): unknown[] {
  received = [];
  createSignalReceiver(clientSignals, HANDLERS)(connection, name, payload);
  return received;
}

describe('a signal', () => {
  test.each<[keyof ClientSignals, unknown]>([
    ['typing', { chatroom: randomUUID() }],
    ['typing', { chatroom: randomUUID().toUpperCase(), fromNewerClient: 1 }],
    ['presence', { isActive: false }],
    ['attend', { chatroom: randomUUID() }],
    ['attend', { chatroom: null }],
  ])('%s with the payload %j reaches its handler', (name, payload) => {
    expect(receive(name, payload)).toEqual([payload]);
  });

  test.each(Object.keys(clientSignals))('%s with another payload is ignored', (name) => {
    const wrong = { chatroom: '-'.repeat(36), isActive: 1 };
    for (const payload of [undefined, null, 'x', 1, [], {}, [{}], wrong]) {
      expect(receive(name, payload), JSON.stringify(payload)).toEqual([]);
    }
  });

  test.each(['unknown', 'message', '__proto__', 'constructor', ''])(
    'is ignored with the name %j',
    (name) => {
      expect(receive(name, { chatroom: randomUUID(), isActive: true })).toEqual([]);
    },
  );
});

/** Two payloads of each signal. */
const PAYLOADS: { readonly [Name in keyof ClientSignals]: readonly ClientSignals[Name][] } = {
  typing: [{ chatroom: randomUUID() }, { chatroom: randomUUID() }],
  presence: [{ isActive: true }, { isActive: false }],
  attend: [{ chatroom: randomUUID() }, { chatroom: null }],
};

describe.each(Object.keys(clientSignals) as (keyof ClientSignals)[])('the signal %s', (name) => {
  test('has an effect as often as the table says', () => {
    const effect = vi.fn<() => void>();
    const receiveSignal = createSignalReceiver(
      clientSignals,
      createSignalHandlers({
        // The notifier itself ignores what follows too fast.
        typing: { notify: effect },
        presence: {
          follow: () => undefined,
          activate: () => undefined,
          deactivate: () => undefined,
        },
        views: { report: effect },
      }),
    );
    const device = {
      userId: randomUUID(),
      isActive: undefined,
      viewedId: null,
    } as unknown as LiveSocket;
    const [first, second] = PAYLOADS[name];
    for (const payload of [first, first, second, second, first]) {
      receiveSignal(device, name, payload);
    }
    expect(effect).toHaveBeenCalledTimes(clientSignals[name].rate === 'change' ? 3 : 5);
  });
});

describe('a new signal', () => {
  const wave = {
    payload: Type.Object({ hands: Type.Integer({ description: 'How many' }) }),
    rate: 'interval',
    description: 'The user waves.',
  } as const satisfies ClientSignalSchema;
  const table = { ...clientSignals, wave };
  type Signals = Payloads<typeof table>;

  test('needs a handler', () => {
    // @ts-expect-error -- there is no handler
    const missing: SignalHandlers<Signals> = HANDLERS;
    const handlers: SignalHandlers<Signals> = {
      ...missing,
      wave: (_connection, { hands }) => void received.push(hands + 1),
    };
    const receiveSignal = createSignalReceiver(table, handlers);
    received = [];
    receiveSignal(connection, 'wave', { hands: 2 });
    receiveSignal(connection, 'wave', { hands: 'two' });
    expect(received).toEqual([3]);
  });

  test('is documented', () => {
    const documentation = describeSignals(table);
    expect(documentation).toContain(
      '### Signal `wave`\n\nThe user waves. Ignored within 2 seconds',
    );
    expect(documentation).toContain('| `hands` | integer | How many    |');
  });
});

import type { Payloads } from '@parley/contract';
import type { ClientSignalSchema } from '@parley/contract/schemas';
import { createValidator } from '../plugins/validation.ts';
import type { LiveSocket } from './live-socket.ts';

/** What the server does with each signal. One that is missing is a type error. */
export type SignalHandlers<Signals> = {
  readonly [Name in keyof Signals]: (connection: LiveSocket, payload: Signals[Name]) => void;
};

/** Handles a signal of a client. Ignores signals that are unknown or not valid. */
export type ReceiveSignal = (connection: LiveSocket, name: string, payload: unknown) => void;

/** Returns a function that passes the valid signals of clients to their handlers. */
export function createSignalReceiver<Table extends Readonly<Record<string, ClientSignalSchema>>>(
  table: Table,
  handlers: SignalHandlers<Payloads<Table>>,
): ReceiveSignal;
export function createSignalReceiver(
  table: Readonly<Record<string, ClientSignalSchema>>,
  handlers: SignalHandlers<Record<string, unknown>>,
): ReceiveSignal {
  const receivers = new Map(
    Object.entries(table).map(([name, { payload }]) => [
      name,
      { isValid: createValidator(payload), handle: handlers[name] },
    ]),
  );
  return (connection, name, payload) => {
    const receiver = receivers.get(name);
    if (receiver?.isValid(payload)) receiver.handle?.(connection, payload);
  };
}

import type { Static, TSchema } from 'typebox';
import type { clientSignals, serverEvents } from './schemas/live.schemas.ts';

/** The payloads of a table of live events or signals, by name. */
export type Payloads<Table extends Readonly<Record<string, { readonly payload: TSchema }>>> = {
  readonly [Name in keyof Table]: Static<Table[Name]['payload']>;
};

/** The payloads of the live events that the server sends, by name. */
export interface ServerEvents extends Payloads<typeof serverEvents> {}

/** The payloads of the signals that clients send, by name. */
export interface ClientSignals extends Payloads<typeof clientSignals> {}

/** A function for each event or signal. One that is missing is a type error. */
export type PayloadHandlers<Events> = {
  readonly [Name in keyof Events]: (payload: Events[Name]) => void;
};

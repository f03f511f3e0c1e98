import type { TestServer } from '../harness.ts';

/** What an attack is told. Crosses a process boundary as JSON, but for the signal. */
export interface Target<Prepared = unknown> {
  readonly host: string;
  readonly port: number;
  /** Without a slash at the end. */
  readonly url: string;
  /** What {@link Attack.prepare} returned. */
  readonly prepared: Prepared;
  /** Aborted when the attack has to end. */
  readonly signal: AbortSignal;
}

/** What an attack counted, such as requests that were answered and connections that were closed. */
export type Counts = Readonly<Record<string, number>>;

/** A bounded attack on a server of this machine. It runs in a process of its own. */
export interface Attack<Prepared = unknown> {
  /** One line for the list of attacks. */
  readonly summary: string;
  /** Variables of the server under attack, besides the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Creates accounts and data before the server starts. The result has to be JSON. */
  prepare?(server: TestServer): Promise<Prepared>;
  /** Attacks until the signal is aborted, or until it is done. */
  run(target: Target<Prepared>): Promise<Counts>;
}

/** Lets attacks with different preparations share one list. */
export function defineAttack<Prepared>(attack: Attack<Prepared>): Attack {
  return attack;
}

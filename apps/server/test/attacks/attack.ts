import type { TestServer } from '../harness.ts';

/** The server under attack. Passed between processes as JSON, except for the signal. */
export interface AttackTarget<Prepared = unknown> {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. */
  readonly url: string;
  /** The result of {@link Attack.prepare}. */
  readonly prepared: Prepared;
  /** Aborted when the attack must end. */
  readonly signal: AbortSignal;
}

/** The counts of an attack, such as responses and closed connections. */
export type Counts = Readonly<Record<string, number>>;

/** An attack of limited duration on a local server. It runs in a separate process. */
export interface Attack<Prepared = unknown> {
  /** One line for the list of attacks. */
  readonly summary: string;
  /** Variables of the attacked server in addition to the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** MiB by which the server may grow. Defaults to 150, which holds for everything that is inspected. */
  readonly growthMax?: number;
  /** Seconds that it takes at least, so that all its parts come to their turn. */
  readonly minSeconds?: number;
  /**
   * Creates accounts and data before the server starts. The result must be serializable as JSON.
   */
  prepare?(server: TestServer): Promise<Prepared>;
  /** Attacks until the signal is aborted or the attack is complete. */
  run(target: AttackTarget<Prepared>): Promise<Counts>;
}

/** Erases the type of the preparation, so that all attacks fit into one list. */
export function defineAttack<Prepared>(attack: Attack<Prepared>): Attack {
  return attack;
}

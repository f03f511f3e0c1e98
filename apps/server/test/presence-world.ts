import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import type { PartnerPresence, ServerEvents } from '@parley/contract';
import type { Context } from '../src/context.ts';
import { createEventBus, type DomainEvent, type EventBus } from '../src/domain-events.ts';
import type { PresenceTimes } from '../src/presence/presence-limits.ts';
import { createPresenceNotifier, type PresenceNotifier } from '../src/presence/presence.service.ts';

type PresenceEvent = ServerEvents['presence'];

/** A device that is connected to a process. */
export interface PresenceDevice {
  readonly userId: string;
  process: PresenceProcess;
  isActive: boolean;
}

/** A process of a server that may crash, and that may not receive the events of others. */
export interface PresenceProcess {
  readonly notifier: PresenceNotifier;
  readonly events: EventBus;
  /** What the devices of users were told since they have connected. */
  readonly told: Map<string, PresenceEvent[]>;
  isAlive: boolean;
  isDeaf: boolean;
}

/** Applies events in order, as clients do. */
export function applyPresence(events: readonly PresenceEvent[]): Record<string, PartnerPresence> {
  let shown: PresenceEvent['rooms'] = {};
  for (const { rooms, isComplete } of events) shown = isComplete ? rooms : { ...shown, ...rooms };
  return Object.fromEntries(
    Object.entries(shown).flatMap(([room, presence]) => (presence ? [[room, presence]] : [])),
  );
}

/** Processes on one database that tell users who is online, where everything happens in memory except the database. */
export class PresenceWorld {
  readonly processes: PresenceProcess[] = [];
  /** The devices that are really there. */
  readonly devices = new Set<PresenceDevice>();
  /** Devices that are gone without having closed their connections, which their processes take for connected. */
  readonly #ghosts = new Set<PresenceDevice>();
  readonly #ctx: Context;
  readonly #times: PresenceTimes;
  readonly #unsubscribe: () => void;
  /** Whether a process has crashed, which the others have not noticed. */
  #hasCrashed = false;
  /** Number of calls of the database that are running. */
  #running = 0;
  /** Grows with whatever happens. */
  #ticks = 0;

  constructor(ctx: Context, times: PresenceTimes, count: number) {
    this.#ctx = ctx;
    this.#times = times;
    for (let i = 0; i < count; i += 1) this.processes.push(this.#start());
    // Requests that change what users share are handled by yet another process.
    this.#unsubscribe = ctx.events.subscribe((event) => {
      if (event.type === 'relationship-changed' || event.type === 'settings-changed')
        this.#deliver([event]);
    });
  }

  #start(): PresenceProcess {
    const events = createEventBus(this.#ctx.log);
    const told: PresenceProcess['told'] = new Map();
    const state = { events, told, isAlive: true, isDeaf: false };
    const broadcast = (sent: readonly DomainEvent[]): void => {
      if (state.isAlive) this.#deliver(sent, state);
    };
    const storage: Pick<Context['storage'], 'read' | 'write'> = {
      read: (work) => this.#track(this.#ctx.storage.read(work)),
      write: async (work, options) => {
        const emitted: DomainEvent[] = [];
        const result = await this.#track(
          this.#ctx.storage.write(
            (write) => work({ ...write, emit: (event) => void emitted.push(event) }),
            options,
          ),
        );
        if (state.isAlive) emitted.forEach(events.publish);
        broadcast(emitted);
        return result;
      },
    };
    const cluster = { ...this.#ctx.cluster, isShared: true, broadcast };
    return Object.assign(state, {
      notifier: createPresenceNotifier({
        log: this.#ctx.log,
        storage: Object.assign(Object.create(this.#ctx.storage), storage),
        cluster: Object.assign(Object.create(this.#ctx.cluster), cluster),
        events,
        times: this.#times,
        send: (userId, event) => {
          this.#ticks += 1;
          if (state.isAlive) told.get(userId)?.push(event);
        },
      }),
    });
  }

  async #track<T>(call: Promise<T>): Promise<T> {
    this.#running += 1;
    try {
      return await call;
    } finally {
      this.#running -= 1;
      this.#ticks += 1;
    }
  }

  #deliver(sent: readonly DomainEvent[], from?: object): void {
    for (const process of this.processes) {
      if (process === from) continue;
      this.#running += 1;
      setImmediate(() => {
        this.#running -= 1;
        this.#ticks += 1;
        if (process.isAlive && !process.isDeaf) sent.forEach(process.events.publish);
      });
    }
  }

  connect(userId: string, where: number, isActive: boolean): void {
    const device = { userId, process: this.#processAt(where), isActive };
    this.devices.add(device);
    this.#arrive(device);
  }

  use(device: PresenceDevice, isActive: boolean): void {
    if (device.isActive === isActive) return;
    device.isActive = isActive;
    const { notifier } = device.process;
    if (isActive) notifier.activate(device.userId);
    else notifier.deactivate(device.userId);
  }

  disconnect(device: PresenceDevice): void {
    this.devices.delete(device);
    this.#depart(device);
  }

  /** Ends a device without closing its connection, as when a laptop falls asleep. */
  cut(device: PresenceDevice): void {
    this.devices.delete(device);
    this.#ghosts.add(device);
  }

  /** Kills a process, and starts another one. */
  kill(where: number): void {
    const process = this.#processAt(where);
    process.isAlive = false;
    this.#hasCrashed = true;
    this.#replace(where);
    void process.notifier.stop();
  }

  /** Stops a process, and starts another one. */
  async stop(where: number): Promise<void> {
    const { notifier } = this.#processAt(where);
    // The others receive what it sends last.
    await notifier.stop();
    this.#processAt(where).isAlive = false;
    this.#replace(where);
  }

  /** Keeps the events of others from a process. */
  deafen(where: number): void {
    this.#processAt(where).isDeaf = true;
  }

  /** Lets the processes notice what they have missed: silent connections, crashes and events. */
  notice(): void {
    for (const ghost of this.#ghosts) {
      this.#ghosts.delete(ghost);
      this.#depart(ghost);
    }
    for (const process of this.processes) {
      if (!process.isDeaf && !this.#hasCrashed) continue;
      process.isDeaf = false;
      process.events.publish({ type: 'events-missed' });
      // All devices connect again.
      const own = [...this.devices].filter((device) => device.process === process);
      for (const device of own) this.#depart(device);
      for (const device of own) this.#arrive(device);
    }
    this.#hasCrashed = false;
  }

  /**
   * Lets time pass until nothing more happens.
   * @param pass lets a part of the time pass
   */
  async drain(pass: (ms: number) => Promise<unknown>): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      const ticks = this.#ticks;
      await pass(this.#times.gather);
      await turnOfEventLoop();
      if (this.#running > 0 || ticks !== this.#ticks) quiet = -1;
    }
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    for (const { notifier } of this.processes) await notifier.stop();
  }

  #replace(where: number): void {
    const process = this.#processAt(where);
    for (const gone of [...this.devices, ...this.#ghosts].filter((d) => d.process === process)) {
      this.devices.delete(gone);
      this.#ghosts.delete(gone);
    }
    this.processes[this.processes.indexOf(process)] = this.#start();
  }

  #arrive({ userId, process, isActive }: PresenceDevice): void {
    if (!process.told.has(userId)) process.told.set(userId, []);
    process.notifier.follow(userId);
    if (isActive) process.notifier.activate(userId);
  }

  #depart(device: PresenceDevice): void {
    const { userId, process, isActive } = device;
    if (isActive) process.notifier.deactivate(userId);
    const others = [...this.devices, ...this.#ghosts].filter((other) => other !== device);
    if (others.some((other) => other.userId === userId && other.process === process)) return;
    process.notifier.unfollow(userId);
    process.told.delete(userId);
  }

  #processAt(where: number): PresenceProcess {
    const process = this.processes[where % this.processes.length];
    if (process === undefined) throw new Error('there is no process');
    return process;
  }
}

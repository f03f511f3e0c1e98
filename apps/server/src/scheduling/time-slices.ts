import { AsyncResource } from 'node:async_hooks';

/*
 * Requests that arrive together would all run in one turn of the event loop, and everything else would
 * wait for the last of them. So jobs share time slices: once a slice is used up, the next job waits for
 * the next turn, in which the event loop accepts and answers other requests as well.
 */

/** Milliseconds for which jobs run in one turn of the event loop before the next ones must wait. */
const SLICE = 5;

const waiting: (() => void)[] = [];
/** When the first job of this turn began. */
let sliceStart: number | undefined;
/** Whether jobs that have waited are running. */
let isRunning = false;

/**
 * Runs a job now if there is time left in this turn of the event loop, or in a later turn, in order. What a job that
 * has waited continues with does not wait again: each further turn would cost as much as a short job.
 */
export function runInTurn(job: () => void): void {
  if ((isRunning || waiting.length === 0) && hasTime()) return job();
  // Jobs of several requests run in one callback of the event loop, each in its own async context.
  const resource = new AsyncResource('TIME_SLICE');
  waiting.push(() => resource.runInAsyncScope(job));
}

/** Resolves if there is time left in this turn of the event loop, or in a later turn, in order. */
export async function takeTurn(): Promise<void> {
  if (waiting.length === 0 && hasTime()) return;
  await new Promise<void>((resolve) => waiting.push(resolve));
}

function hasTime(): boolean {
  const now = performance.now();
  if (sliceStart === undefined) {
    sliceStart = now;
    setImmediate(startNextSlice);
  }
  return now - sliceStart < SLICE;
}

/** Runs once in each turn of the event loop in which jobs ran, after its other callbacks. */
function startNextSlice(): void {
  sliceStart = undefined;
  runWaiting();
}

function runWaiting(): void {
  isRunning = waiting.length > 0 && hasTime();
  if (!isRunning) return;
  // A tick that is added by a microtask runs once there are no more microtasks: after everything that
  // the job can do without waiting.
  queueMicrotask(() => process.nextTick(runWaiting));
  waiting.shift()?.();
}

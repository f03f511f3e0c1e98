import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { createFairQueue, type JobOwner } from '../scheduling/fair-queue.ts';
import { TooComplexMediaError } from './formats/byte-source.ts';
import { TooLongRecording } from './formats/duration.ts';
import { createSequence } from '../scheduling/sequence.ts';
import { loadSvgRenderer } from './formats/svg/svg-renderer.ts';
import type { InspectedFile, InspectionOutcome, InspectionTask } from './file-inspection.ts';
import {
  ExcessiveInspectionError,
  startInspectionWorker,
  type InspectionWorker,
  type WorkerLimits,
} from './inspection-worker.ts';

/** Inspects files in threads of their own, so that no file keeps the server busy. */
export interface Inspector {
  /**
   * Inspects a file, and writes what others may receive of it. Returns undefined if its format is not
   * accepted. Owners take turns. After a failure, the caller removes the target.
   * @throws {TooComplexMediaError} if it is too expensive to inspect or to display,
   * {@link TooLongRecording}, {@link AppError} `unavailable` if too many files wait, or a file system
   * error.
   */
  inspect(owner: JobOwner, task: InspectionTask): Promise<InspectedFile | undefined>;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** The owner of files that the server inspects by itself. */
export const SERVER_OWNER: JobOwner = ['server', ''];

const LIMITS: WorkerLimits = { cpuMax: 500, timeMax: 30_000, heapMax: 64 };

/** Files that are inspected at the same time. */
const CONCURRENCY = 2;
const WAITING_MAX = 100;

/** Seconds after which a rejected user may try again. */
const RETRY_AFTER = 5;

/** Milliseconds after which an unused worker ends, to release its memory. */
const IDLE_MAX = 60_000;

/** Creates an inspector. It starts no thread before the first file. */
export function createInspector(
  log: Pick<FastifyBaseLogger, 'warn'>,
  limits: WorkerLimits = LIMITS,
): Inspector {
  const queue = createFairQueue({
    concurrency: CONCURRENCY,
    maxWaiting: WAITING_MAX,
    createFullError: () => new AppError('unavailable', { retryAfter: RETRY_AFTER }),
  });
  // One at a time, because each may take 48 MB and 17 MB of pixels.
  const renderInSequence = createSequence();
  const workers = new Set<InspectionWorker>();
  /** The unused workers with the timers that end them. */
  const idle = new Map<InspectionWorker, NodeJS.Timeout>();

  function acquire(): InspectionWorker {
    const [worker, timer] = idle.entries().next().value ?? [];
    if (worker === undefined) {
      const started = startInspectionWorker(limits);
      workers.add(started);
      return started;
    }
    clearTimeout(timer);
    idle.delete(worker);
    if (!worker.hasEnded) return worker;
    workers.delete(worker);
    return acquire();
  }

  function release(worker: InspectionWorker): void {
    if (worker.hasEnded) {
      workers.delete(worker);
      return;
    }
    const timer = setTimeout(() => {
      idle.delete(worker);
      workers.delete(worker);
      void worker.end();
    }, IDLE_MAX);
    idle.set(worker, timer.unref());
  }

  async function inspectWith(
    worker: InspectionWorker,
    task: InspectionTask,
  ): Promise<InspectionOutcome> {
    try {
      return await worker.inspect(task);
    } catch (error) {
      if (!(error instanceof ExcessiveInspectionError)) throw error;
      log.warn({ err: error }, 'ended the inspection of an upload');
      return { refusal: 'too-complex', message: error.message };
    }
  }

  /** Renders an SVG in a worker of its own, whose memory is released afterwards. */
  async function render(task: InspectionTask): Promise<InspectionOutcome> {
    const worker = startInspectionWorker(limits, await loadSvgRenderer());
    workers.add(worker);
    try {
      return await inspectWith(worker, task);
    } finally {
      workers.delete(worker);
      await worker.end();
    }
  }

  async function run(task: InspectionTask): Promise<InspectionOutcome> {
    const worker = acquire();
    const outcome = await inspectWith(worker, task).finally(() => release(worker));
    return 'needsRenderer' in outcome ? renderInSequence(() => render(task)) : outcome;
  }

  return {
    inspect: async (owner, task) => toInspection(await queue.run(owner, () => run(task))),
    close: async () => {
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...workers].map((worker) => worker.end()));
    },
  };
}

function toInspection(outcome: InspectionOutcome): InspectedFile | undefined {
  if ('found' in outcome) return outcome.found;
  if ('needsRenderer' in outcome) throw new Error('the renderer is missing');
  if ('refusal' in outcome) {
    const { refusal, message } = outcome;
    throw refusal === 'too-long'
      ? new TooLongRecording(message)
      : new TooComplexMediaError(message);
  }
  const { message, code } = outcome.failure;
  throw Object.assign(new Error(message), code !== undefined && { code });
}

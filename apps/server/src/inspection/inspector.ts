import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { createFairQueue, type FairQueue, type JobOwner } from '../scheduling/fair-queue.ts';
import { TooComplexMediaError } from './formats/byte-source.ts';
import { TooLongRecording } from './formats/duration.ts';
import { loadSvgRenderer, type SvgRenderer } from './formats/svg/svg-renderer.ts';
import type { InspectedFile, InspectionOutcome, InspectionTask } from './file-inspection.ts';
import {
  ExcessiveInspectionError,
  readWorkerProgram,
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
   * {@link TooLongRecording}, {@link AppError} `unavailable` if too many files wait or a thread fails, or a
   * file system error.
   */
  inspect(owner: JobOwner, task: InspectionTask): Promise<InspectedFile | undefined>;
  /** Ends all threads. */
  close(): Promise<void>;
}

/** The owner of files that the server inspects by itself. */
export const SERVER_OWNER: JobOwner = ['server', ''];

const LIMITS: WorkerLimits = { cpuMax: 500, timeMax: 30_000, heapMax: 64 };

/**
 * How much longer the inspection of a stored file may take, as it was accepted before, maybe by a faster
 * computer.
 */
const STORED_FACTOR = 10;

/** Files that are inspected at the same time. */
const CONCURRENCY = 2;
const WAITING_MAX = 100;

/** Seconds after which a rejected user may try again. */
const RETRY_AFTER = 5;

/** Milliseconds after which an unused worker ends, to release its memory. */
const IDLE_MAX = 60_000;

/** Creates an inspector. It starts no thread before the first file. */
export function createInspector(
  log: Pick<FastifyBaseLogger, 'debug' | 'error'>,
  limits: WorkerLimits = LIMITS,
): Inspector {
  // Read now, as an upgrade may replace the file before the first worker starts.
  const program = readWorkerProgram();
  const queue = createQueue(CONCURRENCY);
  // One at a time, because each may take 17 MB of pixels in addition to the memory of the renderer.
  const renderingQueue = createQueue(1);
  const started = new Set<InspectionWorker>();
  const inspectors = createWorkerPool(() => start());
  // Each has up to 48 MB of memory, which is reused.
  const renderers = createWorkerPool(async () => start(await loadSvgRenderer()));
  let isClosed = false;

  function start(renderer?: SvgRenderer): InspectionWorker {
    // A closing server must not wait for new workers.
    if (isClosed) throw createUnavailableError();
    for (const worker of started) if (worker.hasEnded) started.delete(worker);
    const worker = startInspectionWorker(program, limits, renderer);
    started.add(worker);
    return worker;
  }

  async function inspectWith(
    worker: InspectionWorker,
    task: InspectionTask,
  ): Promise<InspectionOutcome> {
    const cpuMax = task.rules === 'stored' ? limits.cpuMax * STORED_FACTOR : limits.cpuMax;
    try {
      return await worker.inspect(task, cpuMax);
    } catch (error) {
      if (error instanceof ExcessiveInspectionError) {
        log.debug({ err: error }, 'ended an inspection');
        return { refusal: 'too-complex', message: error.message };
      }
      // Nothing is wrong with the file.
      if (!isClosed) log.error({ err: error }, 'could not inspect a file');
      throw createUnavailableError(error);
    }
  }

  async function inspect(task: InspectionTask): Promise<InspectionOutcome> {
    const worker = await inspectors.acquire();
    return inspectWith(worker, task).finally(() => inspectors.release(worker));
  }

  async function render(task: InspectionTask): Promise<InspectionOutcome> {
    const worker = await renderers.acquire();
    try {
      const outcome = await inspectWith(worker, task);
      // After any failure, the renderer may have no memory left.
      if (!('found' in outcome) || outcome.isThreadSpent === true) await worker.end();
      return outcome;
    } finally {
      renderers.release(worker);
    }
  }

  return {
    inspect: async (owner, task) => {
      const outcome = await queue.run(owner, () => inspect(task));
      const isSvg = 'needsRenderer' in outcome;
      return toInspection(isSvg ? await renderingQueue.run(owner, () => render(task)) : outcome);
    },
    close: async () => {
      isClosed = true;
      inspectors.close();
      renderers.close();
      await Promise.all([...started].map((worker) => worker.end()));
    },
  };
}

/** Keeps unused workers for the next files. */
interface WorkerPool {
  acquire(): InspectionWorker | Promise<InspectionWorker>;
  release(worker: InspectionWorker): void;
  /** Forgets the unused workers, without ending them. */
  close(): void;
}

function createWorkerPool(start: () => InspectionWorker | Promise<InspectionWorker>): WorkerPool {
  /** The unused workers with the timers that end them. */
  const idle = new Map<InspectionWorker, NodeJS.Timeout>();

  function forget(worker: InspectionWorker): void {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
  }

  return {
    acquire() {
      for (const worker of idle.keys()) if (worker.hasEnded) forget(worker);
      // The one that was used last, so that others can end.
      const worker = [...idle.keys()].at(-1);
      if (worker === undefined) return start();
      forget(worker);
      return worker;
    },
    release(worker) {
      if (worker.hasEnded) return;
      const end = () => {
        forget(worker);
        void worker.end();
      };
      idle.set(worker, setTimeout(end, IDLE_MAX).unref());
    },
    close() {
      for (const worker of idle.keys()) forget(worker);
    },
  };
}

function createQueue(concurrency: number): FairQueue {
  return createFairQueue({
    concurrency,
    maxWaiting: WAITING_MAX,
    createFullError: createUnavailableError,
  });
}

function createUnavailableError(cause?: unknown): AppError {
  return new AppError('unavailable', { retryAfter: RETRY_AFTER, cause });
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

import type { FastifyBaseLogger } from 'fastify';
import { createOverloadError } from '../errors/overload-error.ts';
import { createFairQueue, type JobOwner } from '../scheduling/fair-queue.ts';
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

/** Inspects files in a thread of its own, one after another, so that no file keeps the server busy. */
export interface Inspector {
  /**
   * Inspects a file, and writes what others may receive of it. Returns undefined if its format is not
   * accepted. Owners take turns. After a failure, the caller removes the target.
   * @throws {TooComplexMediaError} if it is too expensive to inspect or to display,
   * {@link TooLongRecording}, `AppError` `unavailable` if too many files wait or a thread fails, or a
   * file system error.
   */
  inspect(owner: JobOwner, task: InspectionTask): Promise<InspectedFile | undefined>;
  /** Ends the thread. */
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

const WAITING_MAX = 100;

/** Milliseconds after which an unused worker ends, to release its memory. */
const IDLE_MAX = 60_000;

/** Creates an inspector. It starts no thread before the first file. */
export function createInspector(
  log: Pick<FastifyBaseLogger, 'debug' | 'error'>,
  limits: WorkerLimits = LIMITS,
): Inspector {
  // Read now, as an upgrade may replace the file before the first worker starts.
  const program = readWorkerProgram();
  // One file at a time, as each may take 64 MB of objects or 48 MB of WebAssembly, and as much around them.
  const queue = createFairQueue({
    concurrency: 1,
    maxWaiting: WAITING_MAX,
    createFullError: createOverloadError,
  });
  const workers = new Set<InspectionWorker>();
  /** The worker of the next file, and whether it can render. */
  let current: { readonly worker: InspectionWorker; readonly canRender: boolean } | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function getWorker(renderer?: SvgRenderer): InspectionWorker {
    if (current?.worker.hasEnded === false && (renderer === undefined || current.canRender)) {
      return current.worker;
    }
    // A closing server must not wait for new workers.
    if (isClosed) throw createOverloadError();
    for (const worker of workers) if (worker.hasEnded) workers.delete(worker);
    const worker = startInspectionWorker(program, limits, renderer);
    workers.add(worker);
    current = { worker, canRender: renderer !== undefined };
    return worker;
  }

  async function endCurrent(): Promise<void> {
    const ended = current?.worker;
    current = undefined;
    await ended?.end();
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
      throw createOverloadError(error);
    }
  }

  async function inspect(task: InspectionTask): Promise<InspectionOutcome> {
    clearTimeout(idleTimer);
    try {
      let outcome = await inspectWith(getWorker(), task);
      if ('needsRenderer' in outcome) {
        const renderer = await loadSvgRenderer();
        await endCurrent();
        outcome = await inspectWith(getWorker(renderer), task);
      }
      // After any failure, the renderer may have no memory left.
      const isSpent = !('found' in outcome) || outcome.isThreadSpent === true;
      if (isSpent && current?.canRender === true) await endCurrent();
      return outcome;
    } finally {
      idleTimer = setTimeout(() => void endCurrent(), IDLE_MAX).unref();
    }
  }

  return {
    inspect: async (owner, task) => toInspection(await queue.run(owner, () => inspect(task))),
    close: async () => {
      isClosed = true;
      clearTimeout(idleTimer);
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

import { Worker } from 'node:worker_threads';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBuiltFile } from '../single-binary/built-files.ts';
import type { InspectionOutcome, InspectionTask } from './file-inspection.ts';
import type { SvgRenderer } from './formats/svg/svg-renderer.ts';

/** Limits of a worker. */
export interface WorkerLimits {
  /** Milliseconds of computing per file. */
  readonly cpuMax: number;
  /** Milliseconds per file altogether, for a file system that does not respond. */
  readonly timeMax: number;
  /** MiB of JavaScript objects. */
  readonly heapMax: number;
}

/** Thrown if a file takes more computing or memory than a worker may use. */
export class ExcessiveInspectionError extends Error {
  override readonly name = 'ExcessiveInspectionError';
}

/** A thread that inspects one file after another. */
export interface InspectionWorker {
  /**
   * Inspects a file.
   * @param cpuMax milliseconds of computing
   * @throws {ExcessiveInspectionError} or any other error if the worker failed or the file system does not
   * respond. Afterwards the worker has ended.
   */
  inspect(task: InspectionTask, cpuMax: number): Promise<InspectionOutcome>;
  /** Whether the worker has ended. */
  readonly hasEnded: boolean;
  /** Ends the worker. Does not wait for a file system that does not respond. */
  end(): Promise<void>;
}

/** Milliseconds between two checks of the time that a file takes. */
const CHECK_INTERVAL = 50;

/** Milliseconds to wait for a worker that ends. */
const END_TIMEOUT = 3_000;

/**
 * Reads the program of a worker from the build output. Undefined if there is none, as when the server runs
 * from its sources.
 */
export function readWorkerProgram(): string | undefined {
  return readBuiltFile('inspection-worker.cjs', import.meta.dirname)?.toString();
}

/**
 * Starts a worker. It does not keep the process running. Only a worker with a renderer can inspect SVG.
 * @param program what {@link readWorkerProgram} has returned
 */
export function startInspectionWorker(
  program: string | undefined,
  { timeMax, heapMax }: Omit<WorkerLimits, 'cpuMax'>,
  renderer?: SvgRenderer,
): InspectionWorker {
  const worker = createThread(program, heapMax, renderer);
  worker.unref();
  let hasEnded = false;
  let finish: ((outcome: InspectionOutcome | Error) => void) | undefined;
  /** Resolves once the worker has loaded, which does not count for its first file. */
  const loaded = Promise.withResolvers<void>();

  function fail(error: Error): void {
    hasEnded = true;
    loaded.resolve();
    finish?.(error);
  }

  worker.on('message', (message: InspectionOutcome | 'ready') => {
    if (message === 'ready') loaded.resolve();
    else finish?.(message);
  });
  worker.on('error', (cause) => {
    const isOutOfMemory =
      cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
    fail(
      isOutOfMemory
        ? new ExcessiveInspectionError('the file takes too much memory', { cause })
        : new Error('the worker failed', { cause }),
    );
  });
  worker.on('exit', () => fail(new Error('the worker ended')));

  async function end(): Promise<void> {
    hasEnded = true;
    await Promise.race([worker.terminate(), sleep(END_TIMEOUT, undefined, { ref: false })]);
  }

  /** Resolves once the current file has taken too much computing. A blocked worker does not tell. */
  async function watchCpu(cpuMax: number, signal: AbortSignal): Promise<void> {
    const before = await worker.cpuUsage();
    while (!signal.aborted) {
      await sleep(CHECK_INTERVAL);
      if (signal.aborted) return;
      const { user, system } = await worker.cpuUsage(before);
      if ((user + system) / 1000 > cpuMax) return;
    }
  }

  return {
    get hasEnded() {
      return hasEnded;
    },
    end,
    inspect: async (task, cpuMax) => {
      const done = new AbortController();
      const { promise, resolve } = Promise.withResolvers<InspectionOutcome | Error>();
      finish = resolve;
      if (hasEnded) resolve(new Error('the worker ended'));
      const timer = setTimeout(() => resolve(new Error('no response')), timeMax);
      await Promise.race([loaded.promise, promise]);
      if (!hasEnded) {
        worker.postMessage(task);
        // A worker that has just ended rejects, which `exit` reports, too.
        watchCpu(cpuMax, done.signal).then(
          () => resolve(new ExcessiveInspectionError('the file takes too long')),
          () => undefined,
        );
      }
      const outcome = await promise;
      clearTimeout(timer);
      finish = undefined;
      done.abort();
      if (!(outcome instanceof Error)) return outcome;
      void end();
      throw outcome;
    },
  };
}

function createThread(
  program: string | undefined,
  heapMax: number,
  renderer: SvgRenderer | undefined,
): Worker {
  const options = {
    workerData: { renderer },
    resourceLimits: { maxOldGenerationSizeMb: heapMax, maxYoungGenerationSizeMb: 16 },
    // Nothing of the server's environment or options is needed.
    env: {},
    execArgv: [],
    stdin: false,
  };
  return program === undefined
    ? new Worker(new URL('inspection.worker.ts', import.meta.url), options)
    : new Worker(program, { ...options, eval: true });
}

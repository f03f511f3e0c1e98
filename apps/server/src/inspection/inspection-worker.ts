import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
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

/** Thrown if a file takes more computing, memory or time than a worker may use. */
export class ExcessiveInspectionError extends Error {
  override readonly name = 'ExcessiveInspectionError';
}

/** A thread that inspects one file after another. */
export interface InspectionWorker {
  /**
   * Inspects a file.
   * @throws {ExcessiveInspectionError} Afterwards the worker has ended.
   */
  inspect(task: InspectionTask): Promise<InspectionOutcome>;
  /** Whether the worker has ended. */
  readonly hasEnded: boolean;
  end(): Promise<void>;
}

/** Milliseconds between two checks of the time that a file takes. */
const CHECK_INTERVAL = 50;

/**
 * Starts a worker. It does not keep the process running. Only a worker with a renderer can inspect SVG.
 */
export function startInspectionWorker(
  { cpuMax, timeMax, heapMax }: WorkerLimits,
  renderer?: SvgRenderer,
): InspectionWorker {
  const worker = createThread(heapMax, renderer);
  worker.unref();
  let hasEnded = false;
  let finish: ((outcome: InspectionOutcome | Error) => void) | undefined;
  /** Resolves once the worker has loaded, which does not count for its first file. */
  const loaded = Promise.withResolvers<void>();
  worker.on('message', (message: InspectionOutcome | 'ready') => {
    if (message === 'ready') loaded.resolve();
    else finish?.(message);
  });
  worker.on('error', (error) => {
    hasEnded = true;
    loaded.resolve();
    finish?.(new ExcessiveInspectionError('the worker failed', { cause: error }));
  });
  worker.on('exit', () => {
    hasEnded = true;
    loaded.resolve();
    finish?.(new ExcessiveInspectionError('the worker ended'));
  });

  async function end(): Promise<void> {
    hasEnded = true;
    await worker.terminate();
  }

  /** Resolves once the current file has taken too much time. */
  async function watch(signal: AbortSignal): Promise<void> {
    const start = Date.now();
    const before = await worker.cpuUsage();
    while (!signal.aborted) {
      await sleep(CHECK_INTERVAL);
      if (signal.aborted) return;
      const { user, system } = await worker.cpuUsage(before);
      const isExcessive = (user + system) / 1000 > cpuMax || Date.now() - start > timeMax;
      if (isExcessive) return;
    }
  }

  return {
    get hasEnded() {
      return hasEnded;
    },
    end,
    inspect: async (task) => {
      const done = new AbortController();
      const { promise, resolve } = Promise.withResolvers<InspectionOutcome | Error>();
      finish = resolve;
      await loaded.promise;
      if (hasEnded) resolve(new ExcessiveInspectionError('the worker ended'));
      worker.postMessage(task);
      // A worker that has just ended rejects, which `exit` reports, too.
      watch(done.signal).then(
        () => resolve(new ExcessiveInspectionError('the file takes too long')),
        () => undefined,
      );
      const outcome = await promise;
      finish = undefined;
      done.abort();
      if (!(outcome instanceof Error)) return outcome;
      await end();
      throw outcome;
    },
  };
}

function createThread(heapMax: number, renderer: SvgRenderer | undefined): Worker {
  const options = {
    workerData: { renderer },
    resourceLimits: { maxOldGenerationSizeMb: heapMax, maxYoungGenerationSizeMb: 16 },
    // Nothing of the server's environment or options is needed.
    env: {},
    execArgv: [],
    stdin: false,
  };
  const built = readBuiltFile('inspection-worker.cjs', import.meta.dirname);
  return built === undefined
    ? new Worker(new URL('inspection.worker.ts', import.meta.url), options)
    : new Worker(built.toString(), { ...options, eval: true });
}

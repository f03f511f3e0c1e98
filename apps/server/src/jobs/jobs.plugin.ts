import type { App, Context } from '../context.ts';
import type { Job } from '../storage/cluster.ts';

/** The background jobs of a server. */
interface Jobs {
  /** Run in one of the servers on a database at a time. */
  readonly leader: readonly Job[];
  /** Run in every server. */
  readonly local: readonly Job[];
}

/** Runs jobs from when the server listens, so that they do not delay the start, until it closes. */
export function registerJobs(app: App, { cluster, log }: Context, { leader, local }: Jobs): void {
  const closing = new AbortController();
  let stopLeading: () => Promise<void> = () => Promise.resolve();
  let running: Promise<unknown> = Promise.resolve();

  async function runAll(jobs: readonly Job[], signal: AbortSignal): Promise<void> {
    const runs = jobs.map(async (job) => {
      try {
        await job(signal, closing.signal);
      } catch (error) {
        log.error({ err: error }, 'a background job failed');
      }
    });
    await Promise.all(runs);
  }

  async function runLeader(signal: AbortSignal): Promise<void> {
    if (cluster.isShared) log.info('running the background jobs of all servers');
    await runAll(leader, signal);
    if (cluster.isShared && !closing.signal.aborted) {
      log.warn('stopped the background jobs, which another server can run now');
    }
  }

  app.addHook('onListen', async () => {
    running = runAll(local, closing.signal);
    stopLeading = cluster.lead(runLeader);
  });
  app.addHook('onClose', async () => {
    closing.abort();
    await Promise.all([running, stopLeading()]);
  });
}

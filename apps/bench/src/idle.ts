import { openLive } from './raw-live-connection.ts';

/** The connections to hold open, one per cookie. */
export interface IdleJob {
  readonly url: string;
  readonly cookies: readonly string[];
}

const CONCURRENCY = 50;

/** Opens all connections. They stay open until the process ends. */
async function openAll({ url, cookies }: IdleJob): Promise<void> {
  for (let i = 0; i < cookies.length; i += CONCURRENCY) {
    await Promise.all(cookies.slice(i, i + CONCURRENCY).map((cookie) => openLive(url, cookie)));
  }
}

process.once('message', (job: IdleJob) => {
  openAll(job).then(
    () => process.send?.('open'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});

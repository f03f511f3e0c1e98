import { openLive } from './live-connection.ts';

/** Connections to hold open, one a cookie. */
export interface IdleJob {
  readonly url: string;
  readonly cookies: readonly string[];
}

const AT_ONCE = 50;

/** Opens every connection and keeps it until the process is ended. */
async function hold({ url, cookies }: IdleJob): Promise<void> {
  for (let i = 0; i < cookies.length; i += AT_ONCE) {
    await Promise.all(cookies.slice(i, i + AT_ONCE).map((cookie) => openLive(url, cookie)));
  }
}

process.once('message', (job: IdleJob) => {
  hold(job).then(
    () => process.send?.('open'),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});

import { answerJob } from './answer-job.ts';
import { inBatches } from './in-batches.ts';
import { openLive } from './raw-live-connection.ts';

/** The connections to hold open, one per cookie. */
export interface IdleJob {
  readonly url: string;
  readonly cookies: readonly string[];
}

/** Opens all connections. They stay open until the process ends. */
async function openAll({ url, cookies }: IdleJob): Promise<void> {
  await inBatches(cookies, (cookie) => openLive(url, cookie));
}

answerJob((job: IdleJob) => openAll(job).then(() => 'open'));

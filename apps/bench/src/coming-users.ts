import { answerJob } from './answer-job.ts';
import { inBatches } from './in-batches.ts';
import { openLive } from './raw-live-connection.ts';

/** Users who go online and offline, who are partners of each other. */
export interface ComingJob {
  readonly url: string;
  readonly cookies: readonly string[];
}

/** Time in milliseconds in which each user goes online and offline. */
const PERIOD = 60_000;

/**
 * Opens all connections and lets their users come and go until the process ends. Resolves once each user
 * has been told of partners who came and who went.
 */
async function comeAndGo({ url, cookies }: ComingJob): Promise<void> {
  const untold = { came: new Set(cookies), went: new Set(cookies) };
  const allTold = Promise.withResolvers<void>();

  function receive(cookie: string, packet: string): void {
    // The first packet lists all partners.
    if (!packet.startsWith('42["presence",') || packet.includes('"isComplete":true')) return;
    if (packet.includes('"isOnline":true')) untold.came.delete(cookie);
    if (packet.includes('"isOnline":false')) untold.went.delete(cookie);
    if (untold.came.size + untold.went.size === 0) allTold.resolve();
  }

  async function start(cookie: string): Promise<void> {
    const socket = await openLive(url, cookie, (packet) => receive(cookie, packet));
    let isActive = Math.random() < 0.5;
    const tell = (): void => socket.send(`42["presence",${JSON.stringify({ isActive })}]`);
    const change = (): void => {
      isActive = !isActive;
      tell();
    };
    tell();
    // Not all at the same time.
    setTimeout(
      () => {
        change();
        setInterval(change, PERIOD / 2);
      },
      Math.random() * (PERIOD / 2),
    );
  }

  await inBatches(cookies, start);
  await allTold.promise;
}

answerJob((job: ComingJob) => comeAndGo(job).then(() => 'told'));

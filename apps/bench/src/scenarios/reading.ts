import { Pool } from 'undici';
import { quantile } from '../statistics.ts';

const REQUESTS = 1_000;
const WARM_UP = 100;

/** The 99th percentile of one GET at a time, in milliseconds. */
export async function readingTime(url: string, path: string, cookie: string): Promise<number> {
  const pool = new Pool(url, { connections: 1 });
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + REQUESTS; i++) {
    const start = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers: { cookie } });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    if (i >= WARM_UP) times.push(performance.now() - start);
  }
  await pool.close();
  return quantile(
    times.toSorted((a, b) => a - b),
    0.99,
  );
}

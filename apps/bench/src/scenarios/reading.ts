import { Pool } from 'undici';
import { quantile } from '../statistics.ts';

const REQUESTS = 1_000;
const WARM_UP = 100;

/**
 * Returns the 99th percentile of the response times of sequential GET requests, in milliseconds.
 */
export async function measureRequests(url: string, path: string, cookie: string): Promise<number> {
  const pool = new Pool(url, { connections: 1 });
  const times: number[] = [];
  for (let i = 0; i < WARM_UP + REQUESTS; i++) {
    const start = performance.now();
    const response = await pool.request({ method: 'GET', path, headers: { cookie } });
    await response.body.dump();
    if (response.statusCode !== 200) {
      throw new Error(`${path} responded with ${response.statusCode}`);
    }
    if (i >= WARM_UP) times.push(performance.now() - start);
  }
  await pool.close();
  return quantile(
    times.toSorted((a, b) => a - b),
    0.99,
  );
}

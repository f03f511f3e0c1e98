import type { TestServer } from './harness.ts';
import { until } from './until.ts';

/** Waits until nothing remains to be erased. */
export async function waitForErasure(server: TestServer): Promise<void> {
  await until(async () => {
    const left = await server.ctx.storage.read((db) =>
      db.selectFrom('erasures').select('id').execute(),
    );
    return left.length === 0;
  }, 120_000);
}

import type { TestServer } from './harness.ts';
import { until } from './until.ts';

/** Waits until nothing is left on the list of what is to be erased. */
export async function erased(server: TestServer): Promise<void> {
  await until(async () => {
    const left = await server.ctx.storage.read((db) =>
      db.selectFrom('erasures').select('id').execute(),
    );
    return left.length === 0;
  }, 120_000);
}

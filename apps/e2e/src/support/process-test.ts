import { runServer, type RunningServer } from '@parley/testing';
import { test as base } from './test.ts';

export { expect } from './test.ts';

/** A `test` whose server is the built one in its own process, which tests can kill, stop and start again. */
export const processTest = base.extend<{ server: RunningServer }>({
  server: async ({ serverEnv }, provide) => {
    const server = await runServer(serverEnv);
    await provide(server);
    await server.dispose();
  },
});

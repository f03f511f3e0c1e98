import type { TestServer } from './harness.ts';

/** Servers without data that can be used again. Starting one takes most of the time of a test. */
export const idleServers: TestServer[] = [];

/** Ends what test files leave for the next test. Must be called after each of them. */
export async function closeIdleServers(): Promise<void> {
  for (const server of idleServers.splice(0)) await server.close();
}

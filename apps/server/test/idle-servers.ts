import type { TestServer } from './harness.ts';

/** Servers without data that can be used again. Starting one on PostgreSQL takes most of the time of a test. */
export const idleServers: TestServer[] = [];

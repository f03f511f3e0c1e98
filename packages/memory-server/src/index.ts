export { createMemoryServer } from './create-memory-server.ts';
export type * from './memory-server.ts';
export { errorResponse } from './refusal.ts';

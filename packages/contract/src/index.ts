// Constants, rules and types: free of any library, so that a browser bundle carries no validator.
// The schemas that the types come from are behind '@parley/contract/schemas'.
export * from './api-version.ts';
export * from './chat-order.ts';
export * from './content.ts';
export type * from './desktop-bridge.ts';
export * from './emoji.ts';
export type * from './endpoint-types.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './limits.ts';
export * from './names.ts';
export type * from './schemas/index.ts';

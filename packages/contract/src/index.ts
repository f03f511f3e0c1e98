// Constants, rules and types without dependencies, so that a browser bundle contains no validator.
// The schemas of the types are in '@parley/contract/schemas'.
export * from './api-version.ts';
export * from './chat-order.ts';
export * from './content.ts';
export * from './desktop-bridge.ts';
export * from './emoji.ts';
export type * from './endpoint-types.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export type * from './events.ts';
export * from './first-messages.ts';
export * from './fold-text.ts';
export * from './image-cost.ts';
export * from './image-files.ts';
export * from './limits.ts';
export * from './linked-screens.ts';
export * from './links.ts';
export * from './mailed-keys.ts';
export * from './names.ts';
export * from './scripts.ts';
export * from './search-excerpt.ts';
export * from './search-query.ts';
export * from './share-paths.ts';
export * from './push-payload.ts';
export * from './quiet-hours.ts';
export * from './text-direction.ts';
export * from './visible-text.ts';
export type * from './schemas/index.ts';

export * from './accounts.ts';
export * from './chatrooms.ts';
export * from './common.ts';
export * from './config.ts';
export * from './media.ts';
export * from './messages.ts';
export * from './sessions.ts';

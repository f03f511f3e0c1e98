// Test servers and files to send to them. '@parley/testing/browser' contains the helpers that
// require a browser.
export * from './compile-cache.ts';
export * from './encode-bmp.ts';
export * from './find-executable.ts';
export * from './free-port.ts';
export * from './is-executable.ts';
export * from './mail-outbox.ts';
export * from './marked/index.ts';
export * from './marked-pictures/index.ts';
export * from './object-storage.ts';
export * from './png-chunk.ts';
export * from './postgres-cluster.ts';
export * from './run-server.ts';
export * from './server-host.ts';
export * from './server-process.ts';
export * from './make-wav.ts';

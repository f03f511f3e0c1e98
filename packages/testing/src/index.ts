// Running servers. What needs a browser is behind '@parley/testing/browser'.
export * from './free-port.ts';
export * from './is-executable.ts';
export * from './run-server.ts';
export * from './server-process.ts';

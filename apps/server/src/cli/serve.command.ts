import type { Logger } from 'pino';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { createLog } from '../create-log.ts';
import { createServer, listeningPort, type Server } from '../server.ts';
import { BUILD, describeVersion, VERSION } from '../version.ts';
import type { WebFiles } from '../web-client/web-pack.ts';
import { EXIT, type Command } from './command.ts';
import { findUnusableSetting } from './unusable-setting.ts';

/** Milliseconds that a shutdown waits for pending requests. */
const REQUEST_GRACE = 5_000;
/** Milliseconds after which a shutdown is aborted and the process exits. */
const SHUTDOWN_TIMEOUT = 10_000;

/** `serve`: runs the server until SIGINT, SIGTERM or SIGHUP. */
export const serveCommand: Command = {
  name: 'serve',
  synopsis: '',
  summary: 'Run the server (default command)',
  details: `The data folder is created if it does not exist, and upgraded if it belongs to an older version;
a snapshot of the database before the upgrade is kept in its folder snapshots/ for 30 days.
SIGTERM, SIGINT and SIGHUP stop the server; it finishes pending requests first, for at most
5 seconds. A second signal stops it immediately. It exits with 2 if it can never start with its
variables, so that a supervisor does not restart it.`,
  options: {},
  positionals: [0, 0],
  async run(_args, { env, loadWebFiles }) {
    const config = readConfig(env);
    const log = createLog(config.logLevel, process.stdout.isTTY);
    log.info({ version: VERSION, ...BUILD }, `Starting Parley ${describeVersion()}`);
    const server = await start(config, log, loadWebFiles()).catch((error: unknown) => {
      const problem = findUnusableSetting(error, config);
      throw problem === undefined ? error : new ConfigError([problem]);
    });

    const url = config.publicUrl ?? `http://localhost:${listeningPort(server.app)}`;
    log.info({ data: config.dataDir }, `Parley is ready at ${url}`);
    return waitForShutdown(server);
  },
};

async function start(config: Config, log: Logger, webFiles: WebFiles): Promise<Server> {
  const server = await createServer(config, log, webFiles);
  try {
    await server.app.listen({
      host: config.host,
      port: config.port,
      listenTextResolver: (address) => `Listening on ${address}`,
    });
    return server;
  } catch (error) {
    await server.close();
    throw error;
  }
}

function waitForShutdown(server: Server): Promise<number> {
  return new Promise((resolve) => {
    let isClosing = false;
    const stop = (signal: NodeJS.Signals) => {
      if (isClosing) process.exit(EXIT.failed);
      isClosing = true;
      server.ctx.log.info(`${signal} received, shutting down`);
      void shutDown(server).then(resolve);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    // Sent when the terminal is closed.
    process.on('SIGHUP', stop);
  });
}

/** Stops the server and returns the exit code. */
async function shutDown(server: Server): Promise<number> {
  const { app, ctx } = server;
  await ctx.drain.start();
  setTimeout(() => {
    ctx.log.warn('pending requests are aborted');
    app.server.closeAllConnections();
  }, REQUEST_GRACE).unref();
  setTimeout(() => process.exit(EXIT.failed), SHUTDOWN_TIMEOUT).unref();
  try {
    await server.close();
    return EXIT.ok;
  } catch (error) {
    ctx.log.error({ err: error }, 'shutdown failed');
    return EXIT.failed;
  }
}

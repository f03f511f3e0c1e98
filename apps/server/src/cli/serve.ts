import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createServer, listeningPort, type Server } from '../server.ts';
import { EXIT, type Command } from './command.ts';

/** How long a shutdown waits for requests that are under way, in milliseconds: some never end. */
const REQUEST_GRACE = 5_000;
/** How long a shutdown may take before it is cut short, in milliseconds. */
const SHUTDOWN_TIMEOUT = 10_000;

/** `serve`: runs the server until SIGINT, SIGTERM or SIGHUP. */
export const serveCommand: Command = {
  name: 'serve',
  synopsis: '',
  summary: 'Run the server (the command that is meant if none is given)',
  details: `The data folder is made if it does not exist, and upgraded if an older version made it;
a snapshot of the database from before lies in its folder snapshots/ for 30 days.
SIGTERM, SIGINT and SIGHUP end it: what is under way is finished first, for 5 seconds at
most; a second signal ends it at once.`,
  options: {},
  positionals: [0, 0],
  async run(_args, { env, loadWebFiles }) {
    const config = readConfig(env);
    const log = createLog(config.logLevel, process.stdout.isTTY);
    const server = await createServer(config, log, loadWebFiles());
    try {
      await server.app.listen({
        host: config.host,
        port: config.port,
        listenTextResolver: (address) => `Listening on ${address}`,
      });
    } catch (error) {
      await server.close();
      throw error;
    }

    const url = config.publicUrl ?? `http://localhost:${listeningPort(server.app)}`;
    log.info({ data: config.dataDir }, `Parley is ready at ${url}`);
    return waitForShutdown(server);
  },
};

function waitForShutdown(server: Server): Promise<number> {
  const { log } = server.ctx;
  return new Promise((resolve) => {
    let isClosing = false;
    const stop = (signal: NodeJS.Signals) => {
      if (isClosing) process.exit(EXIT.failed);
      isClosing = true;
      log.info(`${signal} received, shutting down`);
      setTimeout(() => {
        log.warn('requests that are still under way are cut off');
        server.app.server.closeAllConnections();
      }, REQUEST_GRACE).unref();
      setTimeout(() => process.exit(EXIT.failed), SHUTDOWN_TIMEOUT).unref();
      server.close().then(
        () => resolve(EXIT.ok),
        (error: unknown) => {
          log.error({ err: error }, 'shutdown failed');
          resolve(EXIT.failed);
        },
      );
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
    // A terminal that is closed.
    process.on('SIGHUP', stop);
  });
}

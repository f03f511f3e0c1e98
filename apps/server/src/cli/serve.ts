import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createServer, listeningPort } from '../server.ts';
import type { WebFiles } from '../web-client/web-pack.ts';

/** How long a shutdown may take before it is cut short, in milliseconds. */
const SHUTDOWN_MAX = 10_000;

/** `serve`: runs the server until SIGINT or SIGTERM. */
export async function serve(env: NodeJS.ProcessEnv, webFiles: WebFiles): Promise<void> {
  const config = readConfig(env);
  const log = createLog(config.logLevel, process.stdout.isTTY);
  const server = await createServer(config, log, webFiles);
  await server.app.listen({ host: config.host, port: config.port, listenTextResolver: () => '' });

  const url = config.publicUrl ?? `http://localhost:${listeningPort(server.app)}`;
  log.info({ data: config.dataDir }, `Parley is ready at ${url}`);

  let closing = false;
  const stop = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    log.info(`${signal} received, closing`);
    setTimeout(() => process.exit(1), SHUTDOWN_MAX).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

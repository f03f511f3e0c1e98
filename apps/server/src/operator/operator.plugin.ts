import { chmodSync } from 'node:fs';
import Fastify, { LogController, type FastifyError, type FastifyReply } from 'fastify';
import type { App, Context } from '../context.ts';
import { validatorCompiler } from '../plugins/validation.ts';
import { VERSION } from '../version.ts';
import { OPERATIONS } from './operations.ts';
import { OperatorError } from './operator-error.ts';
import {
  BODY_MAX,
  HEARTBEAT,
  PROTOCOL,
  type OperatorErrorResponse,
  type ServerInfo,
} from './protocol.ts';
import { createSocketAddress } from './socket-address.ts';

/** Milliseconds within which a request must arrive. */
const REQUEST_TIMEOUT = 10_000;
/** Milliseconds that a shutdown waits for pending operations. */
const CLOSE_TIMEOUT = 4_000;

/**
 * Accepts operator commands on a local socket while the app runs. If the socket cannot be opened,
 * as on some network file systems, the server runs without it.
 */
export function registerOperator(app: App, ctx: Context): void {
  let stop = async () => {};
  let closed: Promise<void> | undefined;

  app.addHook('onReady', async () => {
    try {
      stop = await listen(ctx);
    } catch (error) {
      ctx.log.warn(
        { err: error },
        'the socket for operator commands could not be opened; commands that change something fail ' +
          'while the server runs',
      );
    }
  });
  // Finish pending commands at the same time as pending requests.
  app.addHook('preClose', async () => {
    closed = stop().catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'the socket for operator commands could not be closed');
    });
  });
  app.addHook('onClose', async () => {
    await closed;
  });
}

/** Listens on the socket. Returns the function that stops it. */
async function listen(ctx: Context): Promise<() => Promise<void>> {
  const address = createSocketAddress(ctx.config.dataDir);
  const stopping = new AbortController();
  const server = createOperatorServer(ctx, stopping.signal);
  try {
    await server.listen({
      path: address.path,
      listenTextResolver: () => 'Listening for operator commands',
    });
    // Until now, the permissions of the folder have kept other users out.
    if (process.platform !== 'win32') chmodSync(address.path, 0o600);
    address.publish();
  } catch (error) {
    await server.close();
    address.remove();
    throw error;
  }

  return async () => {
    stopping.abort();
    const cutOff = setTimeout(() => server.server.closeAllConnections(), CLOSE_TIMEOUT);
    await server.close();
    clearTimeout(cutOff);
    address.remove();
  };
}

function createOperatorServer(ctx: Context, stopping: AbortSignal) {
  const server = Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX,
    requestTimeout: REQUEST_TIMEOUT,
    forceCloseConnections: 'idle',
  });
  server.setValidatorCompiler(validatorCompiler);
  server.setErrorHandler((error: FastifyError, _request, reply) => sendError(ctx, error, reply));
  server.setNotFoundHandler((_request, reply) => {
    const response: OperatorErrorResponse = { message: 'The server does not know this command.' };
    return reply.status(404).send(response);
  });

  server.get('/', async (): Promise<ServerInfo> => ({
    product: 'parley',
    protocol: PROTOCOL,
    version: VERSION,
  }));
  for (const operation of OPERATIONS) {
    const { name, request } = operation;
    server.post(`/operations/${name}`, { schema: { body: request } }, async ({ body }, reply) => {
      ctx.log.info({ operation: name }, 'operator command');
      const heartbeat = setInterval(() => reply.raw.writeProcessing(), HEARTBEAT);
      try {
        return await operation.run(ctx, body, stopping);
      } finally {
        clearInterval(heartbeat);
      }
    });
  }
  return server;
}

function sendError({ log }: Context, error: FastifyError, reply: FastifyReply): FastifyReply {
  const status = getStatus(error);
  if (status === 500) log.error({ err: error }, 'operator command failed');
  const response: OperatorErrorResponse = {
    message:
      error instanceof OperatorError
        ? error.message
        : `The server could not carry out the command: ${error.message}`,
  };
  return reply.status(status).send(response);
}

// Fastify sends 503 while it closes. No other error may use it, because it tells the client that
// nothing ran.
function getStatus(error: FastifyError): number {
  if (error instanceof OperatorError) return 409;
  const { statusCode = 500 } = error;
  return statusCode < 500 ? statusCode : 500;
}

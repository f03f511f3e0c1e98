import type { EndpointName } from '@parley/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../context.ts';
import { createOverloadError } from '../errors/overload-error.ts';
import { clientNetwork } from '../http/client-address.ts';
import { createAccountQueue, type AccountQueue } from '../scheduling/account-queue.ts';
import { getCurrentSession } from './current-session.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets the next heavy read start, if the request is one. */
    endHeavyRead: (() => void) | undefined;
  }
}

/**
 * Endpoints whose responses are large or take long, and how many of them are prepared at the same time together. A
 * search occupies a database connection for several turns of the event loop, so that some must remain for others.
 */
const GROUPS: readonly { endpoints: readonly EndpointName[]; concurrency: number }[] = [
  { endpoints: ['listChats', 'getChatroom', 'listChanges'], concurrency: 4 },
  { endpoints: ['searchMessages'], concurrency: 2 },
];

const LIMITS = {
  // Of many clients that reconnect after a restart.
  maxWaiting: 10_000,
  perAccount: { concurrency: 2, maxWaiting: 100 },
};

/**
 * Makes requests that read much wait for each other, so that one account cannot keep others waiting.
 * Register it after the rate limits, and before the routes.
 */
export function registerHeavyReads(app: App): void {
  const queues = new Map<EndpointName, AccountQueue>();
  for (const { endpoints, concurrency } of GROUPS) {
    const queue = createAccountQueue({
      ...LIMITS,
      concurrency,
      createFullError: createOverloadError,
    });
    for (const endpoint of endpoints) queues.set(endpoint, queue);
  }
  app.decorateRequest('endHeavyRead', undefined);

  const start = (
    queue: AccountQueue,
    request: FastifyRequest,
    { raw: response }: FastifyReply,
  ): Promise<void> =>
    new Promise((resolve, reject) => {
      const ended = Promise.withResolvers<void>();
      request.endHeavyRead = ended.resolve;
      // A response is also prepared for a client that has gone, and until then it takes as long. This is for a
      // response that fails in another hook.
      response.once('finish', ended.resolve);
      const job = async () => {
        // The client has gone while it waited.
        if (response.destroyed) return reject(createOverloadError());
        resolve();
        return ended.promise;
      };
      const { userId } = getCurrentSession(request);
      queue.run(clientNetwork(request), userId, job).catch(reject);
    });
  const end = async (request: FastifyRequest) => request.endHeavyRead?.();

  app.addHook('onRoute', (route) => {
    const name = route.config?.endpoint;
    const queue = name && queues.get(name);
    if (!queue) return;
    const wait = (request: FastifyRequest, reply: FastifyReply) => start(queue, request, reply);
    route.preHandler = [...[route.preHandler ?? []].flat(), wait];
    // Runs after the hooks of the whole app, which compress the response.
    route.onSend = [...[route.onSend ?? []].flat(), end];
  });
}

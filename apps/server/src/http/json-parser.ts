import { SHORT_BODY_MAX } from '@parley/contract/schemas';
import type { FastifyRequest } from 'fastify';
import type { App } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { createOverloadError } from '../errors/overload-error.ts';
import { createFairQueue } from '../scheduling/fair-queue.ts';
import { runInTurn, takeTurn } from '../scheduling/time-slices.ts';
import { clientNetwork } from './client-address.ts';

/**
 * Maximum number of objects and arrays in a long body, or of such brackets in its texts: more than in the longest
 * message. A body of brackets would take 60 ms.
 */
const BRACKETS_MAX = 25_000;
/** Maximum number of long bodies that wait. Many clients resync after a restart. */
const WAITING_MAX = 10_000;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;

/** Parsing a long body can take several milliseconds, however little it contains. */
const longBodies = createFairQueue({
  concurrency: 1,
  maxWaiting: WAITING_MAX,
  createFullError: createOverloadError,
});

/**
 * Parses JSON bodies in time slices, because many can arrive at the same time. Networks and users take turns with
 * long ones, and short ones do not wait for these. Accepts empty bodies for some routes, because many clients send
 * `content-type: application/json` without a body.
 */
export function registerJsonParser(app: App, { acceptsEmpty = false } = {}): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const parse = (json: string) => void parseJson(request, json, done);
    const json = String(body);
    if (json === '' && acceptsEmpty) done(null);
    else if (json.length <= SHORT_BODY_MAX) runInTurn(() => parse(json));
    else void parseInQueue(request, { json }, parse, done);
  });
}

/** Forgets a body whose client goes while it waits. */
async function parseInQueue(
  { ip, raw: { socket }, session }: FastifyRequest,
  waiting: { json: string | undefined },
  parse: (json: string) => void,
  fail: (error: Error) => void,
): Promise<void> {
  const forget = () => {
    waiting.json = undefined;
  };
  socket.once('close', forget);
  try {
    await longBodies.run([clientNetwork({ ip, socket }), session.userId ?? ''], async () => {
      await takeTurn();
      if (waiting.json === undefined) throw createOverloadError();
      if (countBrackets(waiting.json) > BRACKETS_MAX) throw new AppError('invalid_request');
      parse(waiting.json);
    });
  } catch (error) {
    fail(error instanceof Error ? error : createOverloadError());
  } finally {
    socket.off('close', forget);
  }
}

function countBrackets(json: string): number {
  let count = 0;
  for (let i = 0; i < json.length; i += 1) {
    const code = json.charCodeAt(i);
    if (code === OPENING_BRACKET || code === OPENING_BRACE) count += 1;
  }
  return count;
}

import type { FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site's page sends with a person's cookies: every request that can change
 * something, and every upgrade. Routes that change something by GET call {@link assertOwnScriptRequest}.
 */
export function registerOriginCheck(app: App, ctx: Pick<Context, 'config'>): void {
  app.addHook('onRequest', async (request) => {
    const isUpgrade = request.headers.upgrade !== undefined;
    if (isUpgrade || !SAFE_METHODS.has(request.method)) assertOwnOrigin(request, ctx);
  });
}

/**
 * For a route that changes something by GET: a link to it, in a message for one, must do nothing.
 * @throws {AppError} `foreign_origin`
 */
export function assertOwnScriptRequest(
  request: FastifyRequest,
  ctx: Pick<Context, 'config'>,
): void {
  // Set by browsers: 'empty' is what a script asked for, all else is a page, a picture and the like.
  const destination = request.headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'empty') throw new AppError('foreign_origin');
  assertOwnOrigin(request, ctx);
}

/**
 * Programs that are no browser send no `Origin`; they hold no other person's cookies either.
 * @throws {AppError} `foreign_origin`
 */
function assertOwnOrigin(request: FastifyRequest, { config }: Pick<Context, 'config'>): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') throw new AppError('foreign_origin');
  if (origin === undefined) return;
  const url = URL.parse(origin);
  const own =
    url !== null &&
    (config.publicUrl === undefined ? url.host === request.host : url.origin === config.publicUrl);
  if (!own) throw new AppError('foreign_origin');
}

import type { FastifyRequest } from 'fastify';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects cross-site requests that may change something, and cross-site upgrades. Routes that
 * change something by GET must call {@link assertOwnScriptRequest} themselves. Routes of the web client change nothing,
 * and browsers post what other apps share without an origin.
 */
export function registerOriginCheck(app: App, ctx: Pick<Context, 'config'>): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isUpgrade = request.headers.upgrade !== undefined;
    const isHarmless =
      SAFE_METHODS.has(request.method) || request.routeOptions.config.endpoint === null;
    if (isUpgrade || !isHarmless) assertOwnOrigin(request, ctx);
    done();
  });
}

/**
 * Asserts that a request was made by a script of this site. For routes that change something by
 * GET, so that following a link to them has no effect.
 * @throws {AppError} `foreign_origin`
 */
export function assertOwnScriptRequest(
  request: FastifyRequest,
  ctx: Pick<Context, 'config'>,
): void {
  // Browsers set it to 'empty' for requests by scripts, and to other values for navigations, images
  // and so on.
  const destination = request.headers['sec-fetch-dest'];
  if (destination !== undefined && destination !== 'empty') throw createError(ctx);
  assertOwnOrigin(request, ctx);
}

/**
 * Asserts that a request does not come from another site. Clients other than browsers send no
 * `Origin` and are allowed, as they hold no cookies of other users.
 * @throws {AppError} `foreign_origin`
 */
function assertOwnOrigin(request: FastifyRequest, ctx: Pick<Context, 'config'>): void {
  const { publicUrl } = ctx.config;
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site') throw createError(ctx);
  if (origin === undefined) return;
  const url = URL.parse(origin);
  const isOwnOrigin =
    url !== null &&
    (publicUrl === undefined ? url.host === request.host : url.origin === publicUrl);
  if (!isOwnOrigin) throw createError(ctx);
}

/** Creates the error, which names the address to open to users who have opened another one. */
function createError({ config }: Pick<Context, 'config'>): AppError {
  return new AppError('foreign_origin', { publicUrl: config.publicUrl });
}

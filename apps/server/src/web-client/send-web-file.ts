import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from '../http/accept-encoding.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';
import type { WebFile } from './web-pack.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * Sends a file in the best encoding that the browser accepts, or 304 if the browser has it already.
 * `cacheControl` overrides the default, which depends on whether the file is immutable.
 */
export function sendWebFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  cacheControl = file.immutable ? IMMUTABLE : 'no-cache',
): FastifyReply {
  const encoding = acceptedEncodings(request.headers['accept-encoding']).find(
    (name) => file[name] !== undefined,
  );
  // A strong entity tag identifies one encoding: RFC 9110 §8.8.3.3.
  const etag = encoding === undefined ? `"${file.hash}"` : `"${file.hash}-${encoding}"`;
  void reply.headers({
    etag,
    vary: 'accept-encoding',
    'cache-control': cacheControl,
  });
  if (matchesEntityTag(request.headers['if-none-match'], etag)) return reply.status(304).send();
  if (encoding !== undefined) void reply.header('content-encoding', encoding);
  return reply.type(file.type).send((encoding && file[encoding]) ?? file.identity);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncodings } from '../http/accept-encoding.ts';
import { matchesEntityTag } from '../http/entity-tag.ts';
import type { WebFile } from './web-pack.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Sends a file in the best form that the browser takes, or 304 if it has it already. How long the
 * browser keeps it depends on the file, unless `cacheControl` says otherwise.
 */
export function sendWebFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: WebFile,
  cacheControl = file.immutable ? FOR_EVER : 'no-cache',
): FastifyReply {
  const encoding = acceptedEncodings(request.headers['accept-encoding']).find(
    (name) => file[name] !== undefined,
  );
  // A strong tag names one form: RFC 9110 §8.8.3.3.
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

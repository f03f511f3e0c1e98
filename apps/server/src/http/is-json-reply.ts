import type { FastifyReply } from 'fastify';

/** Returns whether the body of a response is JSON. */
export function isJsonReply(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('application/json');
}

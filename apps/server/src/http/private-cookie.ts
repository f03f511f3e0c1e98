import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie that only the server reads, and only in requests of its own site. */
export interface PrivateCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** In seconds. */
  readonly maxAge: number;
}

/** Sets a private cookie. */
export function setPrivateCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, path, maxAge }: PrivateCookie,
): void {
  const secure = request.protocol === 'https';
  reply.setCookie(name, value, { path, maxAge, httpOnly: true, sameSite: 'strict', secure });
}

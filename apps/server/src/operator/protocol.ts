import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

/**
 * Version of the protocol between commands and the server: HTTP with JSON over the socket. `GET /`
 * returns a {@link ServerInfo}. `POST /operations/<name>` runs an operation and returns its result,
 * or an {@link OperatorErrorResponse} with a status other than 200. While the operation runs, the
 * server sends `102 Processing` every {@link HEARTBEAT}. New operations and optional fields keep the
 * version; any other change increments it.
 */
export const PROTOCOL = 1;

/** Milliseconds between two heartbeats of a running operation. */
export const HEARTBEAT = 1_000;

/** Maximum size of a body in either direction, in bytes: more than a command line can contain. */
export const BODY_MAX = 2 ** 20;

const ServerInfo = Type.Object({
  product: Type.Literal('parley'),
  protocol: Type.Integer(),
  version: Type.String(),
});

/** The identity of the server. Every version of the protocol has these fields. */
export type ServerInfo = Static<typeof ServerInfo>;

const OperatorErrorResponse = Type.Object({ message: Type.String() });

/** The reason why an operation failed, as a sentence for the operator. */
export type OperatorErrorResponse = Static<typeof OperatorErrorResponse>;

/** Returns whether a response body is a {@link ServerInfo}. */
export function isServerInfo(body: unknown): body is ServerInfo {
  return Value.Check(ServerInfo, body);
}

/** Returns whether a response body is an {@link OperatorErrorResponse}. */
export function isOperatorErrorResponse(body: unknown): body is OperatorErrorResponse {
  return Value.Check(OperatorErrorResponse, body);
}

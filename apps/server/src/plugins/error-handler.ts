import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ERROR_STATUS, type ErrorResponse, type ErrorCode } from '@parley/contract';
import { matchLanguage, type Language } from '@parley/texts';
import type { App } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { fileErrorCode } from '../errors/file-error-code.ts';
import { storageErrorCode } from '../storage/storage-errors.ts';
import { ERROR_MESSAGES, rateLimitedMessage } from '../errors/error-messages.ts';

/**
 * Registers the error handler, which sends `{ errorMessage, code }` with the status of the code.
 */
export function registerErrors(app: App): void {
  app.setErrorHandler((error: FastifyError, request, reply) => handleError(error, request, reply));
}

/** Sends the response for a thrown error. Fastify also calls it for malformed URLs. */
export function handleError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const code = errorCode(error);
  if (code === 'internal') request.log.error({ err: error }, 'unexpected error');
  else if (shouldWarn(error, code)) request.log.warn({ err: error }, 'storage failure');
  if (error instanceof AppError && error.retryAfter !== undefined) {
    reply.header('retry-after', Math.ceil(error.retryAfter));
    if (code === 'rate_limited') {
      return sendRateLimited(request, reply, error.retryAfter, error.limitedBy);
    }
  }
  if (error instanceof AppError) {
    const errorMessage = ERROR_MESSAGES[getLanguage(request)][code];
    const { sessionEnded, publicUrl } = error;
    return sendResponse(reply, {
      errorMessage,
      code,
      ...(sessionEnded !== undefined && { sessionEnded }),
      ...(publicUrl !== undefined && { publicUrl }),
    });
  }
  return sendError(request, reply, code, describeValidationError(error));
}

/**
 * Returns whether a server error should be logged as a warning. Requests rejected under load must
 * not flood the log.
 */
function shouldWarn(error: FastifyError, code: ErrorCode): boolean {
  const isRefusal = error instanceof AppError && error.cause === undefined;
  return ERROR_STATUS[code] >= 500 && !(isRefusal && code === 'unavailable');
}

/** Sends an error response without a thrown error, such as for an unknown path. */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  details?: string,
): FastifyReply {
  const message = ERROR_MESSAGES[getLanguage(request)][code];
  return sendResponse(reply, {
    errorMessage: details === undefined ? message : `${message} (${details})`,
    code,
  });
}

function sendRateLimited(
  request: FastifyRequest,
  reply: FastifyReply,
  seconds: number,
  limitedBy: ErrorResponse['limitedBy'],
): FastifyReply {
  const errorMessage = rateLimitedMessage(getLanguage(request), seconds, limitedBy);
  const code = 'rate_limited';
  return sendResponse(reply, { errorMessage, code, ...(limitedBy && { limitedBy }) });
}

function sendResponse(reply: FastifyReply, response: ErrorResponse): FastifyReply {
  return reply
    .status(ERROR_STATUS[response.code])
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(response);
}

function getLanguage({ headers }: FastifyRequest): Language {
  return matchLanguage(headers['accept-language']);
}

/** Returns which field is invalid and why, for client developers. Never contains the value. */
function describeValidationError(error: FastifyError): string | undefined {
  const first = error.validation?.[0];
  return first && `${error.validationContext}${first.instancePath} ${first.message}`;
}

function errorCode(error: FastifyError): ErrorCode {
  if (error instanceof AppError) return error.code;
  if (error.validation) return 'invalid_request';
  const storage = storageErrorCode(error) ?? fileErrorCode(error);
  if (storage) return storage;
  switch (error.statusCode) {
    case 400:
      return 'invalid_request';
    case 413:
      return 'too_large';
    case 415:
      return 'unsupported_media';
    case 429:
      return 'rate_limited';
    case 503:
      return 'unavailable';
    default:
      // Other 4xx errors of the framework are caused by malformed requests.
      return error.statusCode !== undefined && error.statusCode < 500 && error.statusCode >= 400
        ? 'invalid_request'
        : 'internal';
  }
}

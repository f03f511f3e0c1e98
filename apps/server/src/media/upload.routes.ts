import fastifyMultipart from '@fastify/multipart';
import { LIMITS } from '@parley/contract';
import { errorAnswers, UploadAnswer } from '@parley/contract/schemas';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { finished } from 'node:stream';
import { Type } from 'typebox';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { WRITE_ERRORS } from '../http/common-errors.ts';
import { signedIn } from '../plugins/session.ts';
import { createUploadGate } from './upload-gate.ts';
import { UPLOAD_LIMITS } from './upload-limits.ts';
import { watchPace } from './upload-pace.ts';
import { assertMayUpload, storeUpload, type IncomingFile } from './upload.service.ts';

/** What a form has besides its file: boundaries, headers. */
const FORM_BYTES_MAX = 64 * 1024;

const FORM_LIMITS = { files: 1, fields: 8, fieldSize: 1024, parts: 10, headerPairs: 20 };

const BYTES_MAX = { image: LIMITS.imageBytesMax, audio: LIMITS.audioBytesMax };

/** `POST /upload/image` and `POST /upload/audio`: a form with one file, in a field of that name. */
export function registerUploadRoutes(app: App, ctx: Context): void {
  const gate = createUploadGate(UPLOAD_LIMITS.atOnceOfOne, UPLOAD_LIMITS.atOnceInAll);
  app.register(async (scope: App) => {
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    for (const kind of ['image', 'audio'] as const) {
      scope.post(
        `/upload/${kind}`,
        {
          config: { limit: 'upload' },
          // The form is read as a stream: there is no body to check.
          validatorCompiler: () => () => true,
          schema: {
            tags: ['media'],
            summary: `Upload ${kind === 'image' ? 'a picture' : 'a recording'}, to be sent as a message`,
            consumes: ['multipart/form-data'],
            body: Type.Object({
              [kind]: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }),
            }),
            response: {
              201: UploadAnswer,
              ...errorAnswers(...WRITE_ERRORS, 'quota_media', 'too_slow'),
            },
          },
          onRequest: async (request) => assertSize(request, BYTES_MAX[kind]),
        },
        async (request, reply) => {
          const { userId } = signedIn(request);
          const url = await gate
            .pass(userId, async () => {
              await assertMayUpload(ctx, userId);
              const file = await readFileInTime(request, kind);
              return storeUpload(ctx, userId, kind, file);
            })
            .catch((error: unknown) => {
              hangUpIfSlow(error, reply);
              throw error;
            })
            .finally(() => {
              // Whatever has not been read still has to be taken in: before, few senders listen.
              request.raw.resume();
            });
          return reply.status(201).send({ url });
        },
      );
    }
  });
}

// Told at once, before megabytes are sent for nothing. The file's own size is counted as it comes.
function assertSize(request: FastifyRequest, bytesMax: number): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > bytesMax + FORM_BYTES_MAX) throw new AppError('too_large');
}

/**
 * The file of a form, which breaks with `too_slow` if it comes in too slowly.
 * @throws {AppError} `invalid_request`, and `too_slow` if already what stands before it does.
 */
async function readFileInTime(
  request: FastifyRequest,
  kind: 'image' | 'audio',
): Promise<IncomingFile> {
  const { signal, stop } = watchPace(request.raw.socket, UPLOAD_LIMITS.pace);
  try {
    const file = await Promise.race([readFile(request, kind), rejectedBy(signal)]);
    signal.addEventListener('abort', () => file.destroy(signal.reason));
    finished(file, stop);
    return file;
  } catch (error) {
    stop();
    throw error;
  }
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

// Nobody waits for the rest: Node cuts the connection behind such an answer.
function hangUpIfSlow(error: unknown, reply: FastifyReply): void {
  if (error instanceof AppError && error.code === 'too_slow') reply.header('connection', 'close');
}

/**
 * The file of a form, as its first part that is no plain field.
 * @throws {AppError} `invalid_request` if the form cannot be read or holds something else.
 */
async function readFile(request: FastifyRequest, kind: 'image' | 'audio'): Promise<IncomingFile> {
  const limits = { ...FORM_LIMITS, fileSize: BYTES_MAX[kind] };
  const part = await request.file({ limits }).catch((cause: unknown) => {
    throw new AppError('invalid_request', { cause });
  });
  if (part?.fieldname === kind) return part.file;
  part?.file.resume();
  throw new AppError('invalid_request');
}

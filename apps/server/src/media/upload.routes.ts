import fastifyMultipart from '@fastify/multipart';
import { LIMITS } from '@parley/contract';
import { errorAnswers, UploadAnswer } from '@parley/contract/schemas';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { WRITE_ERRORS } from '../http/common-errors.ts';
import { signedIn } from '../plugins/session.ts';
import { createUploadGate } from './upload-gate.ts';
import { assertMayUpload, storeUpload, type IncomingFile } from './upload.service.ts';

/** Uploads under way at once, of one person and in all. */
const AT_ONCE = 4;
const AT_ONCE_IN_ALL = 100;

/** What a form has besides its file: boundaries, headers. */
const FORM_BYTES_MAX = 64 * 1024;

const FORM_LIMITS = { files: 1, fields: 8, fieldSize: 1024, parts: 10, headerPairs: 20 };

const BYTES_MAX = { image: LIMITS.imageBytesMax, audio: LIMITS.audioBytesMax };

/** `POST /upload/image` and `POST /upload/audio`: a form with one file, in a field of that name. */
export function registerUploadRoutes(app: App, ctx: Context): void {
  const gate = createUploadGate(AT_ONCE, AT_ONCE_IN_ALL);
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
            response: { 201: UploadAnswer, ...errorAnswers(...WRITE_ERRORS, 'quota_media') },
          },
          onRequest: async (request) => assertSize(request, BYTES_MAX[kind]),
        },
        async (request, reply) => {
          const { userId } = signedIn(request);
          const url = await gate
            .pass(userId, async () => {
              await assertMayUpload(ctx, userId);
              const file = await readFile(request, kind);
              return storeUpload(ctx, userId, kind, file);
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

import fastifyMultipart from '@fastify/multipart';
import { LIMITS, type UploadResponse } from '@parley/contract';
import { Peaks } from '@parley/contract/schemas';
import type { FastifyRequest } from 'fastify';
import { finished } from 'node:stream';
import { Check } from 'typebox/value';
import type { App, Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { clientNetwork } from '../http/client-address.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { mediaIdOf } from '../media-store/media-file-name.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import { createUploadRate } from '../quotas/upload-rate.ts';
import { copyUpload, findOriginal } from './copy.service.ts';
import { mediaUrl } from './media-url.ts';
import { createUploadLimiter, type UploadPlace } from './upload-limiter.ts';
import { UPLOAD_LIMITS } from './upload-limits.ts';
import { monitorUploadRate } from './upload-rate-monitor.ts';
import { assertMayUpload, storeUpload, type IncomingUpload } from './upload.service.ts';

/** Maximum size of a form without its file: boundaries and headers. */
const FORM_BYTES_MAX = 64 * 1024;

const FORM_LIMITS = { files: 1, fields: 8, fieldSize: 1024, parts: 10, headerPairs: 20 };

const BYTES_MAX = { image: LIMITS.imageBytesMax, audio: LIMITS.audioBytesMax };

/**
 * Registers `POST /upload/image` and `POST /upload/audio`, each of which accepts a form with one
 * file, in the field `image` or `audio`, and `POST /media/copy`. They share their limits.
 */
export function registerUploadRoutes(app: App, ctx: Context): void {
  const limiter = createUploadLimiter(UPLOAD_LIMITS);
  const { mediaPerMinute } = ctx.config.quotas;
  const rate =
    mediaPerMinute === undefined || !ctx.config.rateLimits
      ? undefined
      : createUploadRate(mediaPerMinute);
  registerEndpoint(app, 'copyMedia', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    const uploader = { userId, network: clientNetwork(request) };
    const file = await limiter.run(uploader, closedSignal(request), async ({ keep }) => {
      // A copy takes no time of the network.
      keep();
      const original = await findOriginal(ctx, userId, request.body.messageId);
      await assertMayUpload(ctx, userId, original.size);
      rate?.take(userId, original.size);
      return copyUpload(ctx, uploader, original);
    });
    return reply.status(201).send(toResponse(ctx, file));
  });
  app.register(async (scope: App) => {
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false });
    for (const kind of ['image', 'audio'] as const) {
      registerEndpoint(
        scope,
        kind === 'image' ? 'uploadImage' : 'uploadAudio',
        async (request, reply) => {
          const { userId } = getCurrentSession(request);
          const uploader = { userId, network: clientNetwork(request) };
          const file = await limiter
            .run(uploader, closedSignal(request), async (place) => {
              await assertMayUpload(ctx, userId);
              const bytes = announcedBytes(request, BYTES_MAX[kind]);
              rate?.take(userId, bytes);
              const before = request.raw.socket.bytesRead;
              try {
                const upload = await readUploadInTime(request, kind, place);
                return await storeUpload(ctx, uploader, upload);
              } catch (error) {
                const isTooSlow = error instanceof AppError && error.code === 'too_slow';
                // The rest of the request is not waited for.
                if (isTooSlow || place.signal.aborted) reply.header('connection', 'close');
                throw error;
              } finally {
                const isAnnounced = request.headers['content-length'] !== undefined;
                const read = request.raw.socket.bytesRead - before;
                // An announced length is received in full. Without one, the maximum was consumed, so
                // refund the bytes that were not received.
                if (!isAnnounced && read < bytes) rate?.refund(userId, bytes - read);
              }
            })
            .finally(() => {
              // Read the rest of the request: few clients read a response before they have sent
              // everything.
              request.raw.resume();
            });
          return reply.status(201).send(toResponse(ctx, file));
        },
        {
          // The form is read as a stream, so there is no body to validate.
          validatorCompiler: () => () => true,
          onRequest: async (request) => assertAnnouncedSize(request, BYTES_MAX[kind]),
        },
      );
    }
  });
}

function toResponse({ config }: Context, file: string): UploadResponse {
  return { url: mediaUrl(config, file), id: mediaIdOf(file) };
}

/** Returns the announced length of a request in bytes, or the maximum if there is none. */
function announcedBytes({ headers }: FastifyRequest, bytesMax: number): number {
  const length = Number(headers['content-length']);
  return Number.isSafeInteger(length) ? length : bytesMax + FORM_BYTES_MAX;
}

/**
 * Rejects a request whose announced length is too large, before it is received. The size of the file
 * itself is counted as it arrives.
 */
function assertAnnouncedSize(request: FastifyRequest, bytesMax: number): void {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > bytesMax + FORM_BYTES_MAX) throw new AppError('too_large');
}

/**
 * Reads a form up to its file. The file stream fails with `too_slow` if data arrives too slowly, or with
 * the reason of the signal.
 * @throws {AppError} `invalid_request`, or `too_slow` if data arrives too slowly before the file.
 */
async function readUploadInTime(
  request: FastifyRequest,
  kind: 'image' | 'audio',
  place: UploadPlace,
): Promise<IncomingUpload> {
  const monitor = monitorUploadRate(request.raw.socket, UPLOAD_LIMITS.minRate);
  const { stop } = monitor;
  const signal = AbortSignal.any([place.signal, monitor.signal]);
  try {
    signal.throwIfAborted();
    if (request.raw.destroyed) throw new AppError('invalid_request');
    const upload = await Promise.race([readUpload(request, kind), rejectedBy(signal)]);
    const { file } = upload;
    signal.throwIfAborted();
    signal.addEventListener('abort', () => file.destroy(signal.reason));
    finished(file, () => {
      stop();
      place.keep();
    });
    return upload;
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

/** Returns a signal that is aborted if the client closes the connection before its request was read. */
function closedSignal({ raw }: FastifyRequest): AbortSignal {
  const controller = new AbortController();
  const close = () => controller.abort(new AppError('invalid_request'));
  if (raw.destroyed && !raw.readableEnded) close();
  else raw.once('close', close);
  return controller.signal;
}

/**
 * Returns the file of a form: its first part that is not a plain field.
 * @throws {AppError} `invalid_request` if the form is malformed or its file is in another field.
 */
async function readUpload(
  request: FastifyRequest,
  kind: 'image' | 'audio',
): Promise<IncomingUpload> {
  const limits = { ...FORM_LIMITS, fileSize: BYTES_MAX[kind] };
  const part = await request.file({ limits }).catch((cause: unknown) => {
    throw new AppError('invalid_request', { cause });
  });
  try {
    if (part?.fieldname !== kind) throw new AppError('invalid_request');
    const peaks = kind === 'audio' ? readPeaks(part.fields['peaks']) : undefined;
    return { kind, file: part.file, peaks };
  } catch (error) {
    part?.file.resume();
    throw error;
  }
}

/**
 * Parses the optional field with the heights of the waveform's bars.
 * @throws {AppError} `invalid_request` if the field exists but does not contain {@link Peaks}.
 */
function readPeaks(field: unknown): number[] | undefined {
  if (field === undefined) return undefined;
  const value = typeof field === 'object' && field !== null && 'value' in field ? field.value : '';
  const peaks = parse(value);
  if (!Check(Peaks, peaks)) throw new AppError('invalid_request');
  return peaks;
}

function parse(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return undefined;
  }
}

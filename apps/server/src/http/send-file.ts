import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { parseRange } from './byte-range.ts';
import { withoutBody } from './without-body.ts';

/** What a request asks for of a file. */
interface FileRequest extends Pick<FastifyRequest, 'method'> {
  readonly headers: {
    readonly range?: string | undefined;
    readonly 'if-range'?: string | undefined;
  };
}

/** What a reply needs to send a file, independent of the route's types. */
type FileReply = Pick<FastifyReply, 'type' | 'header'> & {
  code(status: number): unknown;
  serializer(write: () => string): unknown;
};

/** An open file, which is closed at the end of a part that is read. */
interface OpenFile {
  readonly size: number;
  createReadStream(range: { readonly start: number; readonly end: number }): Readable;
  close(): Promise<void>;
}

/** The part of a file to send, or an empty text without one. */
type FilePayload = Readable | '' | null;

/**
 * Prepares the reply with an open file or the range that the request asks for, and returns what to send. Closes the
 * file, after sending if necessary.
 * @param etag the entity tag of the file, with its quotation marks
 */
export async function prepareFile(
  { method, headers: { range, 'if-range': ifRange } }: FileRequest,
  reply: FileReply,
  file: OpenFile,
  { etag, mime }: { readonly etag: string; readonly mime: string },
): Promise<FilePayload> {
  let isSent = false;
  try {
    const { size: length } = file;
    const part = ifRange === undefined || ifRange === etag ? parseRange(range, length) : undefined;
    if (part === 'unsatisfiable') {
      withoutBody(reply).code(416);
      void reply.header('content-range', `bytes */${length}`);
      return null;
    }
    const { first, last } = part ?? { first: 0, last: length - 1 };
    if (part !== undefined) {
      reply.code(206);
      void reply.header('content-range', `bytes ${first}-${last}/${length}`);
    }
    void reply.type(mime).header('content-length', last - first + 1);
    if (method === 'HEAD') return '';
    isSent = true;
    return file.createReadStream({ start: first, end: last });
  } finally {
    if (!isSent) await file.close();
  }
}

import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { TestResponse, TestClient, TestServer, TestUser } from './harness.ts';

/** The headers of the file in a form, and the fields before it. */
export interface FormPart {
  field?: string;
  name?: string;
  type?: string;
  /** Fields before the file. */
  fields?: Readonly<Record<string, string>>;
}

/** Uploads bytes in a form with one file, like a browser. */
export function upload(
  user: Pick<TestClient, 'request'>,
  kind: 'image' | 'audio',
  bytes: Buffer,
  { field = kind, name = 'file', type = 'application/octet-stream', fields = {} }: FormPart = {},
): Promise<TestResponse> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  return user.request('POST', `/api/upload/${kind}`, form);
}

/** Begins an image upload over a raw socket. The caller sends its body, with the boundary `x`. */
export function beginUpload(
  { url }: Pick<TestServer, 'url'>,
  user: Pick<TestUser, 'cookie'>,
  length: number,
  headers: readonly string[] = [],
): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(
    [
      'POST /api/upload/image HTTP/1.1',
      `host: ${hostname}:${port}`,
      `cookie: ${user.cookie}`,
      'content-type: multipart/form-data; boundary=x',
      `content-length: ${length}`,
      ...headers,
      '\r\n',
    ].join('\r\n'),
  );
  return socket;
}

/** Lists all files of uploads in the data folder and in object storage, without local copies. */
export async function listUploadedFiles(server: TestServer): Promise<string[]> {
  const stored: string[] = [];
  if (server.ctx.config.mediaStore !== undefined) {
    for await (const files of server.ctx.media.list()) stored.push(...files);
  }
  const entries = await readdir(join(server.dataDir, 'media'), {
    recursive: true,
    withFileTypes: true,
  });
  const local = entries.filter((entry) => entry.isFile() && basename(entry.parentPath) !== 'cache');
  return [...stored, ...local.map((entry) => entry.name)];
}

/** Extends a JPEG to a size in bytes; it stays valid. */
export function jpegOfSize(picture: Buffer, size: number): Buffer {
  // Padding at the end of the scan data, which decoders ignore.
  const filler = Buffer.alloc(size - picture.length, 0x55);
  return Buffer.concat([picture.subarray(0, -2), filler, picture.subarray(-2)]);
}

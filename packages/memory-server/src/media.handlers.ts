import type { GuestCall, UserHandlers } from './endpoint-handlers.ts';
import { findMessage } from './messages.handlers.ts';
import { Refusal } from './refusal.ts';
import type { State, Upload } from './state.ts';

/** Signatures of the formats that are recognized, with their types and file name extensions. */
const FORMATS = [
  { kind: 'image', starts: [0x89, 0x50, 0x4e, 0x47], type: 'image/png', extension: 'png' },
  { kind: 'image', starts: [0xff, 0xd8, 0xff], type: 'image/jpeg', extension: 'jpg' },
  { kind: 'image', starts: [0x47, 0x49, 0x46, 0x38], type: 'image/gif', extension: 'gif' },
  // The real server converts a BMP to a PNG. Browsers show it regardless of its type.
  { kind: 'image', starts: [0x42, 0x4d], type: 'image/png', extension: 'png' },
  // The real server converts an SVG to a PNG, too, but browsers show it only by its type.
  { kind: 'image', starts: [0x3c, 0x73, 0x76, 0x67], type: 'image/svg+xml', extension: 'png' },
  { kind: 'audio', starts: [0x52, 0x49, 0x46, 0x46], type: 'audio/wav', extension: 'wav' },
  { kind: 'audio', starts: [0x1a, 0x45, 0xdf, 0xa3], type: 'audio/webm', extension: 'webm' },
] as const;

async function upload(
  { state, request }: GuestCall<'uploadImage' | 'uploadAudio'>,
  ownerId: string,
  kind: 'image' | 'audio',
): Promise<Response> {
  const form = await request.formData().catch(() => new FormData());
  const file = form.get(kind);
  if (!(file instanceof Blob)) throw new Refusal('invalid_request');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const format = FORMATS.find(({ starts }) => starts.every((byte, i) => bytes[i] === byte));
  if (format?.kind !== kind) throw new Refusal('unsupported_media');
  const peaks = form.get('peaks');
  const stored = {
    ownerId,
    kind,
    type: format.type,
    bytes,
    ...measure(format.type, bytes),
    peaks: typeof peaks === 'string' ? (JSON.parse(peaks) as number[]) : undefined,
  };
  return saveUpload(state, stored, format.extension);
}

function saveUpload(
  state: State,
  stored: Omit<Upload, 'id' | 'file'>,
  extension: string | undefined,
): Response {
  const id = crypto.randomUUID();
  const file = `${id}.${extension}`;
  state.uploads.set(file, { ...stored, id, file });
  return Response.json({ url: state.config.mediaPrefix + file, id }, { status: 201 });
}

/** Reads the size of an image or the duration of a recording, of those formats that tests send. */
function measure(
  type: string,
  bytes: Uint8Array<ArrayBuffer>,
): Pick<Upload, 'width' | 'height' | 'duration'> {
  const view = new DataView(bytes.buffer);
  if (bytes.length >= 26 && view.getUint16(0) === 0x424d) {
    const height = Math.abs(view.getInt32(22, true));
    return { width: view.getInt32(18, true), height, duration: undefined };
  }
  if (type === 'image/png' && bytes.length >= 24) {
    return { width: view.getUint32(16), height: view.getUint32(20), duration: undefined };
  }
  if (type === 'audio/wav' && bytes.length >= 44) {
    const duration = Math.round((view.getUint32(40, true) / view.getUint32(28, true)) * 1_000);
    return { width: undefined, height: undefined, duration };
  }
  return { width: undefined, height: undefined, duration: undefined };
}

/** The endpoints of uploads. */
export const mediaHandlers = {
  uploadImage: (call) => upload(call, call.account.id, 'image'),
  uploadAudio: (call) => upload(call, call.account.id, 'audio'),

  copyMedia: ({ state, account, body }) => {
    const { message } = findMessage(state, account.id, body.messageId);
    if (!message.upload) throw new Refusal('media_not_found');
    const extension = message.upload.file.split('.').at(-1);
    return saveUpload(state, { ...message.upload, ownerId: account.id }, extension);
  },

  getMedia: ({ state, account, params }) => {
    const stored = state.uploads.get(params.file);
    const isShown = stored && isShownTo(state, stored, account.id);
    if (!isShown) throw new Refusal('media_not_found');
    return new Response(stored.bytes, {
      headers: { 'content-type': stored.type, 'cache-control': 'no-store' },
    });
  },
} satisfies UserHandlers;

function isShownTo(state: State, stored: Upload, accountId: string): boolean {
  for (const room of state.rooms.values()) {
    const message = room.messages.find((each) => each.upload?.file === stored.file);
    if (!message) continue;
    try {
      findMessage(state, accountId, message.id);
      return true;
    } catch {
      return false;
    }
  }
  return stored.ownerId === accountId;
}

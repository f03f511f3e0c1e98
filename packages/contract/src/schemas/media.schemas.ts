import { Type, type Static } from 'typebox';
import { Id } from './common.schemas.ts';

const FilePart = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

/** The multipart body of an image upload. */
export const ImageForm = Type.Object({ image: FilePart });

/** The multipart body of a recording upload. */
export const AudioForm = Type.Object({
  peaks: Type.Optional(Type.String({ description: 'The waveform as JSON. Must precede the file' })),
  audio: FilePart,
});

/** An upload. Either of its fields can be sent. */
export const UploadResponse = Type.Object({
  url: Type.String({ description: 'The URL to send as the content of a message' }),
  id: Type.String({ description: 'The `uploadId` of the message to send' }),
});
export type UploadResponse = Static<typeof UploadResponse>;

/** The message whose image or recording is copied. */
export const CopyMediaBody = Type.Object({ messageId: Id });
export type CopyMediaBody = Static<typeof CopyMediaBody>;

/** The file name of an upload. */
export const MediaParams = Type.Object({ file: Type.String({ maxLength: 64 }) });

/** Headers for range and conditional requests. */
export const MediaHeaders = Type.Object({
  range: Type.Optional(Type.String({ description: 'A single byte range' })),
  'if-range': Type.Optional(Type.String()),
  'if-none-match': Type.Optional(Type.String()),
});

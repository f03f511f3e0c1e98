import { Type, type Static } from 'typebox';

const FilePart = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

/** A form with a picture. */
export const ImageForm = Type.Object({ image: FilePart });

/** A form with a recording. */
export const AudioForm = Type.Object({
  peaks: Type.Optional(Type.String({ description: 'Before the file: the waveform, as JSON' })),
  audio: FilePart,
});

/** Where an upload is. */
export const UploadResponse = Type.Object({
  url: Type.String({ description: 'To be sent as the content of a message' }),
});
export type UploadResponse = Static<typeof UploadResponse>;

/** Which upload. */
export const MediaParams = Type.Object({ file: Type.String({ maxLength: 64 }) });

/** What part of an upload a client wants, and what it has already. */
export const MediaHeaders = Type.Object({
  range: Type.Optional(Type.String({ description: 'One range of bytes' })),
  'if-range': Type.Optional(Type.String()),
  'if-none-match': Type.Optional(Type.String()),
});

import { Type, type Static } from 'typebox';

/** Where an upload is. */
export const UploadAnswer = Type.Object({
  url: Type.String({ description: 'To be sent as the content of a message' }),
});
export type UploadAnswer = Static<typeof UploadAnswer>;

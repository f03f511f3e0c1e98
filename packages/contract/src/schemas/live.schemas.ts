import { Type, type Static } from 'typebox';

/** Why the live connection was refused: code and message as defined by the Engine.IO protocol. */
export const HandshakeErrorResponse = Type.Object({ code: Type.Integer(), message: Type.String() });
export type HandshakeErrorResponse = Static<typeof HandshakeErrorResponse>;

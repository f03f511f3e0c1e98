import { Type, type Static } from 'typebox';

/** Why the live connection is not opened: the code and message of the published Engine.IO protocol. */
export const HandshakeRefusal = Type.Object({ code: Type.Integer(), message: Type.String() });
export type HandshakeRefusal = Static<typeof HandshakeRefusal>;

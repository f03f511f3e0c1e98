import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, Timestamp } from './common.schemas.ts';

const Code = Type.String({ description: 'The last part of the link, after /invite#' });

/** An invitation of the current user. */
export const Invitation = Type.Object({
  id: Id,
  code: Code,
  isSingleUse: Type.Boolean(),
  note: Type.String({ description: 'A note that only the current user sees' }),
  createdAt: Timestamp,
  expiresAt: Timestamp,
});
export type Invitation = Static<typeof Invitation>;

/** The usable invitations of the current user, newest first. */
export const InvitationList = Type.Object({ invitations: Type.Array(Invitation) });
export type InvitationList = Static<typeof InvitationList>;

/** An invitation to create. */
export const InvitationBody = Type.Object({
  isSingleUse: Type.Boolean({
    description: 'Whether it is for one person, or for any number until it expires',
  }),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.invitationDaysMax,
      default: LIMITS.invitationDaysDefault,
      description: 'Days until it expires',
    }),
  ),
  note: Type.Optional(Type.String({ maxLength: LIMITS.invitationNoteMax })),
});
export type InvitationBody = Static<typeof InvitationBody>;

export const InvitationParams = Type.Object({ id: Type.String() });
export type InvitationParams = Static<typeof InvitationParams>;

/** The code of an invitation. */
export const InvitationCodeBody = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64 }),
});
export type InvitationCodeBody = Static<typeof InvitationCodeBody>;

/** What is shown of an invitation before it is used. */
export const InvitationPreview = Type.Object({
  username: Type.String({ description: 'The user who invites' }),
  canRegister: Type.Boolean({ description: 'Whether the invitation allows registration' }),
});
export type InvitationPreview = Static<typeof InvitationPreview>;

/** The accepted chat with the user who invited. */
export const RedeemResponse = Type.Object({ chatroomId: Id });
export type RedeemResponse = Static<typeof RedeemResponse>;

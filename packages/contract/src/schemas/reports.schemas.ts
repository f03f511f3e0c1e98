import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id } from './common.schemas.ts';

/** Why a user reports another one. */
export const ReportReason = Type.Union([
  Type.Literal('spam'),
  Type.Literal('harassment'),
  Type.Literal('illegal'),
  Type.Literal('other'),
]);
export type ReportReason = Static<typeof ReportReason>;

/** A report of the partner in a chatroom to the operator of the server. */
export const ReportBody = Type.Object({
  chatroom: Id,
  messageIds: Type.Array(Id, {
    maxItems: LIMITS.reportMessagesMax,
    description: 'Messages of the partner. The operator gets a copy of them',
  }),
  reason: ReportReason,
  comment: Type.Optional(Type.String({ maxLength: LIMITS.reportCommentMax })),
});
export type ReportBody = Static<typeof ReportBody>;

import { Type, type Static } from 'typebox';
import { LIMITS } from '../limits.ts';
import { Id, oneOf } from './common.schemas.ts';

/** Why a user reports another one. */
export const ReportReason = oneOf('spam', 'harassment', 'illegal', 'other');
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

import { CUSTOM_REACTION, LIMITS, type ReactBody } from '@parley/contract';
import { toLastReaction } from '../chat-states/chat-state.service.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors/app-error.ts';
import { Rollback } from '../storage/storage.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { startChange } from './message-change.service.ts';
import { findExtras, toView, toViews } from './message-view.service.ts';
import { consumeRequestLimit } from '../quotas/request-limit.ts';
import { assertCanReact } from '../relationships/relationship.ts';
import * as repository from './reaction.repository.ts';
import { reactionRecipientsOf } from './recipients.ts';

const SINGLE_EMOJI = /^\p{RGI_Emoji}$/v;

/**
 * Adds a reaction of the user to a message, or takes it back. Does nothing if it already is as
 * requested.
 *
 * A reaction in a chat whose partner has blocked the user is stored but withheld: only the user sees
 * it, even if the partner unblocks the user later. The user must not be able to notice, so the
 * statements are the same and in the same order, and the block is only a value in them.
 * @throws {AppError} `invalid_request`, `message_not_found`, `partner_deleted`, `partner_blocked`,
 * `request_not_accepted`, `reaction_limit`, `storage_full`
 */
export async function reactToMessage(
  ctx: Context,
  userId: string,
  { messageId, emoji, isOn }: ReactBody,
): Promise<ViewedMessage> {
  if (!isReactionEmoji(emoji)) throw new AppError('invalid_request');
  await ctx.disk.assertSpaceForMessage();
  return ctx.storage.write(
    async ({ trx, emit }) => {
      const { row, rev } = await startChange(trx, messageId, userId);
      assertCanReact(row);
      const extras = await findExtras(trx, [row]);
      const before = extras.reactions.get(row.id) ?? [];
      const own = before.filter((each) => each.user_id === userId);
      const known = own.find((each) => each.emoji === emoji);
      if ((known !== undefined) === isOn) {
        return new Rollback(toView(row, extras, userId));
      }
      if (isOn && own.length >= LIMITS.reactionsMax) throw new AppError('reaction_limit');

      if (row.partner_consent !== 'accepted') await consumeRequestLimit(ctx.config, trx, userId);

      const now = Date.now();
      const reaction: repository.ReactionRow = {
        message_id: row.id,
        user_id: userId,
        username: row.own_name,
        emoji,
        // Increases even within a millisecond, because it orders the reactions.
        created_at: Math.max(now, (before.at(-1)?.created_at ?? 0) + 1),
        withheld: known?.withheld ?? (row.partner_blocked_at === null ? 0 : 1),
      };
      await (isOn
        ? repository.insertReaction(trx, reaction)
        : repository.deleteReaction(trx, reaction));
      await repository.setRev(trx, { id: row.id, rev });

      const after = isOn ? [...before, reaction] : before.filter((each) => each !== known);
      const changed = { ...row, rev };
      const changedExtras = { ...extras, reactions: new Map([[row.id, after]]) };
      const members = reactionRecipientsOf(changed, userId);
      for (const view of toViews(changed, changedExtras, members)) {
        emit({ type: 'message-reacted', ...view });
      }
      // The partner's message.
      if (row.sender_id === row.partner_id && row.partner_id !== null) {
        const { chatroom_id: chatroomId, partner_id: memberId } = row;
        const isSeen = row.seq > (row.partner_own_cleared_seq ?? 0);
        const withheld = isSeen ? reaction.withheld : 1;
        const shown = { chatroomId, memberId, messageId: row.id, emoji };
        await (isOn
          ? repository.setLatestReaction(trx, { ...shown, now, withheld })
          : repository.clearLatestReaction(trx, shown));
        if (members.includes(memberId) && withheld === 0) {
          const received = toLastReaction({ ...row, emoji, reacted_at: now });
          emit({
            type: 'reaction-received',
            userId: memberId,
            chatroomId,
            rev,
            reaction: received,
            isOn,
          });
        }
      }
      return toView(changed, changedExtras, userId);
    },
    { isConcurrent: true },
  );
}

/** Returns whether a text is an emoji with which users can react: one of Unicode, or the custom one. */
export function isReactionEmoji(text: string): boolean {
  return text === CUSTOM_REACTION || SINGLE_EMOJI.test(text);
}

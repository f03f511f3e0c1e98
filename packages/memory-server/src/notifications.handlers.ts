import { isTimeZone, MUTED_ALWAYS } from '@parley/contract';
import { findView } from './views.ts';
import type { UserHandlers } from './endpoint-handlers.ts';
import { Refusal } from './refusal.ts';
import { emit, toTimestamp } from './state.ts';

/** The endpoints of notifications and reports. Push messages are not sent. */
export const notificationHandlers = {
  getNotifications: ({ account }) => ({
    settings: account.notifications,
    publicKey: 'B'.padEnd(87, 'A'),
    devices: [],
  }),

  changeNotifications: ({ state, account, body }) => {
    const { content, quietHours, pausedUntil } = body;
    if (quietHours && !isTimeZone(quietHours.timeZone)) throw new Refusal('invalid_request');
    const before = account.notifications;
    const next = {
      version: before.version + 1,
      content: content ?? before.content,
      quietHours: quietHours === undefined ? before.quietHours : quietHours,
      pausedUntil: pausedUntil === undefined ? before.pausedUntil : parsePause(pausedUntil),
    };
    if (JSON.stringify({ ...next, version: before.version }) === JSON.stringify(before)) {
      return before;
    }
    account.notifications = next;
    emit(state, [account.id], { name: 'notification-settings', payload: { settings: next } });
    return next;
  },

  createReport: ({ state, account, body }) => {
    const { partnerAccount } = findView(state, body.chatroom, account.id);
    if (!partnerAccount) throw new Refusal('partner_deleted');
    state.reports.push(body);
    return { ok: true };
  },
} satisfies UserHandlers;

function parsePause(value: string | null): string | null {
  if (value === null) return null;
  const time = Date.parse(value);
  if (!(time > 0 && time <= Date.parse(MUTED_ALWAYS))) throw new Refusal('invalid_request');
  return toTimestamp(time);
}

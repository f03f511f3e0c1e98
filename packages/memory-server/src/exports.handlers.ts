import { DELETED_USER, isTimeZone, LIMITS, type DataExport } from '@parley/contract';
import type { UserHandlers } from './endpoint-handlers.ts';
import { Refusal } from './refusal.ts';
import { toTimestamp, type State } from './state.ts';
import { findView } from './views.ts';

/** An empty ZIP file. */
const EMPTY_ZIP = Uint8Array.from([0x50, 0x4b, 0x05, 0x06, ...Array<number>(18).fill(0)]);

/** The endpoints of exports. Their files are empty. */
export const exportHandlers = {
  listExports: ({ state, account }) => {
    finishExports(state, account.id);
    const own = state.exports.filter(({ ownerId }) => ownerId === account.id);
    return { exports: own.map(({ info }) => info).toReversed() };
  },

  createExport: ({ state, account, body }) => {
    const chatroom = body.chatroom?.toLowerCase();
    const view = chatroom === undefined ? undefined : findView(state, chatroom, account.id);
    if (!isTimeZone(body.timeZone)) throw new Refusal('invalid_request');
    const own = state.exports.filter(({ ownerId }) => ownerId === account.id);
    if (own.some(({ info }) => info.expiresAt === undefined)) {
      throw new Refusal('export_unfinished');
    }
    const info: DataExport = {
      id: crypto.randomUUID(),
      ...(chatroom !== undefined && {
        chatroom,
        partnerName: view?.partnerAccount?.username ?? DELETED_USER,
      }),
      status: 'waiting',
      done: 0,
      total: 0,
      createdAt: toTimestamp(Date.now()),
    };
    const surplus = new Set(own.slice(0, Math.max(0, own.length + 1 - LIMITS.exportsMax)));
    state.exports = state.exports.filter((each) => !surplus.has(each));
    state.exports.push({ ownerId: account.id, info });
    return info;
  },

  deleteExport: ({ state, account, params }) => {
    const found = findOwn(state, account.id, params.id);
    if (!found) throw new Refusal('not_found');
    state.exports = state.exports.filter((each) => each !== found);
    return { ok: true };
  },

  getExportFile: ({ state, account, params }) => {
    const found = findOwn(state, account.id, params.id);
    if (found?.info.status !== 'ready') throw new Refusal('not_found');
    return new Response(EMPTY_ZIP, { headers: { 'content-type': 'application/zip' } });
  },
} satisfies UserHandlers;

function findOwn(state: State, ownerId: string, id: string) {
  return state.exports.find(
    (each) => each.ownerId === ownerId && each.info.id === id.toLowerCase(),
  );
}

function countMessages(state: State, accountId: string, chatroom: string | undefined): number {
  return state.rooms
    .values()
    .filter(({ id, members }) =>
      chatroom === undefined
        ? members.some((each) => each.accountId === accountId)
        : id === chatroom,
    )
    .reduce((sum, { lastSeq }) => sum + lastSeq, 0);
}

/** Makes the exports of a user ready. */
function finishExports(state: State, ownerId: string): void {
  const expiresAt = toTimestamp(Date.now() + LIMITS.exportLifetime);
  state.exports = state.exports.map((each) => {
    if (each.ownerId !== ownerId || each.info.expiresAt !== undefined) return each;
    const { info } = each;
    const { length: size } = EMPTY_ZIP;
    const total = countMessages(state, ownerId, info.chatroom);
    return { ownerId, info: { ...info, status: 'ready', done: total, total, size, expiresAt } };
  });
}

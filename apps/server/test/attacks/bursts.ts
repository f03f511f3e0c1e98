import { randomUUID } from 'node:crypto';
import { defineAttack, type AttackTarget } from './attack.ts';
import { addChatroom, addMessages } from './bulk-data.ts';
import { PersistentConnection, sendTogether } from './persistent-connection.ts';
import { rawRead, rawSend, withCookie } from './raw-connection.ts';

const CONNECTIONS = 300;
const ACCOUNTS = 8;
/** Chatrooms of each account. */
const CHATROOMS = 200;
const UNREAD_MESSAGES = 2_000;

interface Account {
  readonly cookie: string;
  /** A chatroom with pages of 1 MiB. */
  readonly long: string;
  /** A chatroom with many short unread messages. */
  readonly short: string;
  readonly chatrooms: readonly string[];
}

/** Kinds of bursts: what each connection requests, at the same moment. */
const BURSTS: Record<string, (account: Account, i: number) => string> = {
  shortPages: ({ short }) => rawRead(`/api/chatrooms/chats/${short}?limit=200`),
  lists: () => rawRead('/api/chatrooms/chats'),
  resyncs: ({ chatrooms }) =>
    rawSend('POST', '/api/chatrooms/changes', {
      since: Object.fromEntries(chatrooms.map((id) => [id, 0])),
      limit: 1_000,
    }),
  marksAsRead: ({ short }, i) =>
    rawSend('POST', `/api/chatrooms/chats/${short}/mark-as-read`, {
      seq: 1 + (i % UNREAD_MESSAGES),
    }),
  reports: ({ chatrooms }, i) =>
    rawSend('POST', '/api/chatrooms/delivered', {
      rooms: Object.fromEntries(chatrooms.map((id) => [id, 1 + (i % 2)])),
    }),
  sends: ({ short }) =>
    rawSend('POST', '/api/messages/send', {
      chatroom: short,
      content: '😀'.repeat(10_000),
      clientId: randomUUID(),
    }),
  longPages: ({ long }) => rawRead(`/api/chatrooms/chats/${long}?limit=200`),
};

/** Sends requests over many connections in the same moment, as after a restart, kind by kind. */
export const bursts = defineAttack({
  summary:
    '300 connections of 8 accounts request pages, lists, resyncs and writes at the same time',
  minSeconds: 60,
  // What pages of 1 MiB leave for the garbage collector. It does not grow with the number of requests.
  growthMax: 450,
  async prepare(server) {
    const { storage } = server.ctx;
    const accounts: Account[] = [];
    for (let i = 0; i < ACCOUNTS; i += 1) {
      const { id, cookie } = await server.signIn(`Attacker${i}`);
      const withPartner = async (name: string) => {
        const partner = await server.signIn(`${name}${i}`);
        return { partner, chatroom: await addChatroom(storage, id, partner.id) };
      };
      const long = await withPartner('Long');
      await addMessages(storage, long.chatroom, long.partner.id, 150, '😀'.repeat(10_000));
      const short = await withPartner('Short');
      await addMessages(storage, short.chatroom, short.partner.id, UNREAD_MESSAGES, 'short');
      const chatrooms: string[] = [];
      for (let n = 0; n < CHATROOMS; n += 1) {
        const { partner, chatroom } = await withPartner(`Friend${n}-`);
        await addMessages(storage, chatroom, partner.id, 2, 'y'.repeat(300));
        chatrooms.push(chatroom);
      }
      accounts.push({ cookie, long: long.chatroom, short: short.chatroom, chatrooms });
    }
    return { accounts };
  },
  async run(target: AttackTarget<{ accounts: Account[] }>) {
    const counts: Record<string, number> = {};
    const connections = Array.from({ length: CONNECTIONS }, () => new PersistentConnection(target));
    for (let round = 0; !target.signal.aborted; round += 1) {
      for (const [kind, createRequest] of Object.entries(BURSTS)) {
        if (target.signal.aborted) break;
        const requests = connections.map((_, i) => {
          const account = target.prepared.accounts[i % ACCOUNTS];
          if (account === undefined) throw new Error('there are no accounts');
          return withCookie(createRequest(account, round * CONNECTIONS + i), account.cookie);
        });
        for (const status of await sendTogether(connections, requests)) {
          const name = `${kind}${status}`;
          counts[name] = (counts[name] ?? 0) + 1;
        }
      }
    }
    return counts;
  },
});

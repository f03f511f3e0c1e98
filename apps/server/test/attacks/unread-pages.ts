import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineAttack } from './attack.ts';
import { addChatroom, addMessages } from './bulk-data.ts';
import { openConnection, rawRequest, withCookie } from './raw-connection.ts';

const CONNECTIONS = 300;
const ACCOUNTS = 4;
const REQUEST_INTERVAL = 10;

interface Account {
  readonly cookie: string;
  /** A chatroom with pages of 1 MiB. */
  readonly chatroom: string;
}

/** Requests the largest pages over many connections, and reads no response. */
export const unreadPages = defineAttack({
  summary: '300 connections of 4 accounts request pages of 1 MiB and read no response',
  minSeconds: 30,
  // What pages leave for the garbage collector, and 64 MiB that are not sent.
  growthMax: 450,
  async prepare(server) {
    const { storage } = server.ctx;
    const accounts: Account[] = [];
    for (let i = 0; i < ACCOUNTS; i += 1) {
      const { id, cookie } = await server.signIn(`Attacker${i}`);
      const partner = await server.signIn(`Partner${i}`);
      const chatroom = await addChatroom(storage, id, partner.id);
      await addMessages(storage, chatroom, partner.id, 150, '😀'.repeat(10_000));
      accounts.push({ cookie, chatroom });
    }
    return { accounts };
  },
  async run(target) {
    const { signal, prepared } = target;
    let closed = 0;
    const open = (): Socket =>
      openConnection(target)
        .pause()
        .on('close', () => {
          closed += signal.aborted ? 0 : 1;
        });
    const sockets = Array.from({ length: CONNECTIONS }, open);
    // The kernel takes the first responses of each connection.
    for (let i = 0; !signal.aborted; i = (i + 1) % CONNECTIONS) {
      const account = prepared.accounts[i % ACCOUNTS];
      if (account === undefined) throw new Error('there are no accounts');
      const request = rawRequest(`/api/chatrooms/chats/${account.chatroom}?limit=200`);
      if (sockets[i]?.destroyed !== false) sockets[i] = open();
      sockets[i]?.write(withCookie(request, account.cookie));
      await sleep(REQUEST_INTERVAL);
    }
    return { closed };
  },
});

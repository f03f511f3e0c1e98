import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { NotificationSettingsBody } from '@parley/contract';
import { CLAIM_DURATION, SETTLE_TIME } from '../src/notifications/push-times.ts';
import { beginChat, send } from './chatting.ts';
import { startServer, type TestServer, type TestUser } from './harness.ts';
import { startPushService, type BrowserSubscription, type PushService } from './push-service.ts';

/** A server and a push service with a clock that stands still between steps. */
export interface PushWorld {
  server: TestServer;
  service: PushService;
  /** Replaces the server after a restart. */
  useServer(server: TestServer): void;
  /** Creates a user. */
  signIn(name: string): Promise<TestUser>;
  /** Subscribes the session of a user. */
  subscribe(user: TestUser): Promise<BrowserSubscription>;
  /** Changes the settings of notifications. */
  configure(user: TestUser, settings: NotificationSettingsBody): Promise<void>;
  /** Resolves once everything is sent that is due after what happened until now. */
  settle(): Promise<void>;
  /** Lets time pass, and sends what is due then. */
  pass(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts both. The clock of the process stands still from then on. */
export async function startPushWorld(env: Record<string, string> = {}): Promise<PushWorld> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const service = await startPushService();
  let server = await startServer({ PARLEY_PUSH_ORIGINS: service.origin, ...env });
  let count = 0;
  let marker: { sender: TestUser; device: BrowserSubscription; room: string } | undefined;

  const world: PushWorld = {
    get server() {
      return server;
    },
    service,
    useServer(next) {
      server = next;
    },
    signIn(name) {
      count += 1;
      return server.signIn(`${name}-${count}`);
    },
    async subscribe(user) {
      const { body } = await user.request('GET', '/api/notifications');
      const subscription = service.subscribe(body.publicKey);
      const path = '/api/notifications/subscription';
      const response = await user.request('POST', path, subscription.body);
      if (response.status !== 200) throw new Error(`not subscribed: ${response.status}`);
      return subscription;
    },
    async configure(user, settings) {
      const { status } = await user.request('PATCH', '/api/notifications', settings);
      if (status !== 200) throw new Error(`not configured: ${status}`);
    },
    async settle() {
      const { sender, room } = (marker ??= await createMarker(world));
      // It would be given up after several attempts, maybe together with the next message.
      await server.ctx.storage.write(({ trx }) =>
        trx
          .updateTable('push_queue')
          .set({ attempts: 0 })
          .where('chatroom_id', '=', room)
          .execute(),
      );
      const { seq } = await send(sender, room, 'marker');
      // Queued after everything before, and never accepted.
      for (;;) {
        const rows = await server.ctx.storage.read((db) =>
          db.selectFrom('push_queue').select(['chatroom_id', 'latest', 'due_at']).execute(),
        );
        const isQueued = rows.some(
          (row) => row.chatroom_id === room && row.latest >= seq && row.due_at > Date.now(),
        );
        const isBusy = rows.some(
          ({ due_at: at }) => at <= Date.now() || at === Date.now() + CLAIM_DURATION,
        );
        if (isQueued && !isBusy) return;
        await sleep(10);
      }
    },
    async pass(ms) {
      await world.settle();
      vi.setSystemTime(Date.now() + ms);
      server.ctx.events.publish({ type: 'push-queued' });
      await world.settle();
    },
    async close() {
      await server.close();
      await service.close();
      vi.useRealTimers();
    },
  };
  vi.setSystemTime(Date.now() + SETTLE_TIME);
  return world;
}

async function createMarker(world: PushWorld) {
  const sender = await world.signIn('marker');
  const recipient = await world.signIn('marked');
  const device = await world.subscribe(recipient);
  device.respond = (response) => void response.writeHead(503, { 'retry-after': '300' }).end();
  return { sender, device, room: await beginChat(sender, recipient) };
}

import type { ChangesBody } from '@parley/contract';
import type { App, Context } from '../context.ts';
import { registerJsonParser } from '../http/json-parser.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { parseBody } from '../messages/message-body.ts';
import { toChatState, toMessage } from '../messages/message.wire.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import type { ViewedMessage } from '../viewed-message.ts';
import { listChangesSince } from './changes.service.ts';
import * as service from './chatroom.service.ts';

/**
 * Registers `/chatrooms`: the endpoints to find users and to create, list, read and resync
 * chatrooms.
 */
export function registerChatroomRoutes(app: App, ctx: Context): void {
  registerPartnerRoutes(app, ctx);
  registerReadingRoutes(app, ctx);
  app.register(async (scope: App) => {
    registerJsonParser(scope, { acceptsEmpty: true });
    registerMarkAsReadRoute(scope, ctx);
  });
}

function registerPartnerRoutes(app: App, ctx: Context): void {
  registerEndpoint(app, 'findUser', async (request) =>
    service.findUser(ctx, getCurrentSession(request).userId, request.body.username),
  );

  registerEndpoint(app, 'createChatroom', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    const body = parseBody(ctx.config, request.body);
    const chatroomId = await service.createChatroom(ctx, userId, request.body, body);
    return reply.status(201).send({ chatroomId });
  });
}

function registerReadingRoutes(app: App, ctx: Context): void {
  const { config } = ctx;
  const toMessages = (messages: readonly ViewedMessage[]) =>
    messages.map((message) => toMessage(config, message));

  registerEndpoint(
    app,
    'listChats',
    async (request) => {
      const list = await service.listChats(ctx, getCurrentSession(request).userId);
      return { ...list, chatrooms: list.chatrooms.map((chat) => toChatState(config, chat)) };
    },
    { config: { hasEntityTag: true } },
  );

  registerEndpoint(app, 'getChatroom', async (request) => {
    const { userId } = getCurrentSession(request);
    const room = await service.getChatroom(ctx, userId, request.params.id, request.query);
    return {
      ...room,
      chat: toChatState(config, room.chat),
      chatroomMessages: toMessages(room.chatroomMessages),
    };
  });

  registerEndpoint(
    app,
    'listChanges',
    async (request) => {
      const { userId } = getCurrentSession(request);
      const changes = await listChangesSince(ctx, userId, request.body);
      const rooms = changes.rooms.map((room) => ({
        ...room,
        chat: toChatState(config, room.chat),
        updated: toMessages(room.updated),
      }));
      return { ...changes, rooms };
    },
    { config: { cost: changesCost } },
  );
}

/** Returns the cost of a resync for the rate limit: the number of chatrooms plus a base cost. */
function changesCost({ since }: ChangesBody): number {
  return 50 + Object.keys(since).length;
}

function registerMarkAsReadRoute(app: App, ctx: Context): void {
  registerEndpoint(app, 'markAsRead', async (request) => {
    const { userId } = getCurrentSession(request);
    const chat = await service.markAsRead(ctx, userId, request.params.id, request.body?.seq);
    return { chat: toChatState(ctx.config, chat) };
  });
}

import {
  Changes,
  ChangesBody,
  ChatList,
  Chatroom,
  ChatroomParams,
  CreateChatroomAnswer,
  CreateChatroomBody,
  errorAnswers,
  FindUserAnswer,
  FindUserBody,
  MarkAsReadAnswer,
  MarkAsReadBody,
  PageQuery,
} from '@parley/contract/schemas';
import type { App, Context } from '../context.ts';
import { READ_ERRORS, WRITE_ERRORS } from '../http/common-errors.ts';
import { signedIn } from '../plugins/session.ts';
import { listChangesSince } from './changes.service.ts';
import * as service from './chatroom.service.ts';

/** `/chatrooms`: find a person, open a room, list and read rooms, catch up. */
export function registerChatroomRoutes(app: App, ctx: Context): void {
  registerPartnerRoutes(app, ctx);
  registerReadingRoutes(app, ctx);
  app.register(async (scope: App) => {
    acceptEmptyJson(scope);
    registerMarkAsReadRoute(scope, ctx);
  });
}

/** Many clients call every body JSON, also the one that they leave out. */
function acceptEmptyJson(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null);
    else void parseJson(request, String(body), done);
  });
}

function registerPartnerRoutes(app: App, ctx: Context): void {
  app.post(
    '/chatrooms/exist',
    {
      config: { limit: 'search' },
      schema: {
        tags: ['chatrooms'],
        summary: 'Find a person, and the room that the two already have',
        body: FindUserBody,
        response: {
          200: FindUserAnswer,
          ...errorAnswers(...WRITE_ERRORS, 'self_search', 'user_not_found'),
        },
      },
    },
    async (request) => service.findUser(ctx, signedIn(request).userId, request.body.username),
  );

  app.post(
    '/chatrooms/create',
    {
      config: { limit: ['search', 'send'] },
      schema: {
        tags: ['chatrooms'],
        summary: 'Send a first message, which makes the room',
        description: 'Two people have at most one room: if it exists, the message goes there.',
        body: CreateChatroomBody,
        response: {
          201: CreateChatroomAnswer,
          ...errorAnswers(
            ...WRITE_ERRORS,
            'self_chat',
            'quota_messages',
            'user_not_found',
            'message_not_found',
          ),
        },
      },
    },
    async (request, reply) => {
      const { userId } = signedIn(request);
      const chatroomId = await service.createChatroom(ctx, userId, request.body);
      return reply.status(201).send({ chatroomId });
    },
  );
}

function registerReadingRoutes(app: App, ctx: Context): void {
  app.get(
    '/chatrooms/chats',
    {
      config: { limit: 'sync', hasEntityTag: true },
      schema: {
        tags: ['chatrooms'],
        summary: "All of the reader's chats",
        response: { 200: ChatList, ...errorAnswers(...READ_ERRORS) },
      },
    },
    async (request) => service.listChats(ctx, signedIn(request).userId),
  );

  app.get(
    '/chatrooms/chats/:id',
    {
      config: { limit: 'sync' },
      schema: {
        tags: ['chatrooms'],
        summary: 'A room with one page of its messages',
        params: ChatroomParams,
        querystring: PageQuery,
        response: {
          200: Chatroom,
          ...errorAnswers(...READ_ERRORS, 'invalid_request', 'room_not_found'),
        },
      },
    },
    async (request) =>
      service.openChatroom(ctx, signedIn(request).userId, request.params.id, request.query),
  );

  app.post(
    '/chatrooms/changes',
    {
      config: { limit: 'changes', cost: changesCost },
      schema: {
        tags: ['chatrooms'],
        summary: 'What changed in rooms since revisions that a client has',
        body: ChangesBody,
        response: { 200: Changes, ...errorAnswers(...WRITE_ERRORS) },
      },
    },
    async (request) => listChangesSince(ctx, signedIn(request).userId, request.body),
  );
}

/** What catching up costs the database, in chatrooms: each request has its price, too. */
function changesCost({ since }: ChangesBody): number {
  return 50 + Object.keys(since).length;
}

function registerMarkAsReadRoute(app: App, ctx: Context): void {
  app.post(
    '/chatrooms/chats/:id/mark-as-read',
    {
      config: { limit: 'read' },
      schema: {
        tags: ['chatrooms'],
        summary: 'Mark a room as read, up to a message or to the newest',
        params: ChatroomParams,
        body: MarkAsReadBody,
        response: {
          200: MarkAsReadAnswer,
          ...errorAnswers(...WRITE_ERRORS, 'room_not_found'),
        },
      },
    },
    async (request) => {
      const { userId } = signedIn(request);
      return service.markAsRead(ctx, userId, request.params.id, request.body?.seq);
    },
  );
}

import {
  DeleteBody,
  Done,
  EditBody,
  errorAnswers,
  Message,
  SendBody,
} from '@parley/contract/schemas';
import type { App, Context } from '../context.ts';
import { WRITE_ERRORS } from '../http/common-errors.ts';
import { signedIn } from '../plugins/session.ts';
import * as service from './message.service.ts';

/** `/messages`: send, edit, delete. */
export function registerMessageRoutes(app: App, ctx: Context): void {
  app.post(
    '/messages/send',
    {
      config: { limit: 'send' },
      schema: {
        tags: ['messages'],
        summary: 'Send a message',
        description: 'A repeated `clientId` answers 200 with the message that it first made.',
        body: SendBody,
        response: {
          200: Message,
          201: Message,
          ...errorAnswers(
            ...WRITE_ERRORS,
            'partner_deleted',
            'quota_messages',
            'room_not_found',
            'message_not_found',
          ),
        },
      },
    },
    async (request, reply) => {
      const { userId } = signedIn(request);
      const { message, isNew } = await service.sendMessage(ctx, userId, request.body);
      return reply.status(isNew ? 201 : 200).send(message);
    },
  );

  app.patch(
    '/messages/edit',
    {
      config: { limit: 'change' },
      schema: {
        tags: ['messages'],
        summary: 'Change the text of an own message',
        body: EditBody,
        response: {
          200: Message,
          ...errorAnswers(
            ...WRITE_ERRORS,
            'media_not_editable',
            'not_sender',
            'partner_deleted',
            'message_not_found',
          ),
        },
      },
    },
    async (request) => service.editMessage(ctx, signedIn(request).userId, request.body),
  );

  app.delete(
    '/messages/delete',
    {
      config: { limit: 'change' },
      schema: {
        tags: ['messages'],
        summary: 'Delete an own message for both',
        body: DeleteBody,
        response: {
          200: Done,
          ...errorAnswers(...WRITE_ERRORS, 'not_sender', 'message_not_found'),
        },
      },
    },
    async (request): Promise<Done> => {
      await service.deleteMessage(ctx, signedIn(request).userId, request.body);
      return { ok: true };
    },
  );
}

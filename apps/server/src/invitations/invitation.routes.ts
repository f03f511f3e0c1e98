import type { App, Context } from '../context.ts';
import { registerEndpoint } from '../http/register-endpoint.ts';
import { getCurrentSession } from '../plugins/current-session.ts';
import {
  createUserInvitation,
  listUserInvitations,
  previewInvitation,
  redeemInvitation,
  revokeUserInvitation,
} from './user-invitation.service.ts';

/**
 * Registers `/invitations`: the endpoints for the invitation links of users, whose codes are derived
 * from `codeSecret`.
 */
export function registerInvitationRoutes(app: App, context: Context, codeSecret: string): void {
  const ctx = { ...context, codeSecret };

  registerEndpoint(app, 'listInvitations', async (request) => ({
    invitations: await listUserInvitations(ctx, getCurrentSession(request).userId),
  }));

  registerEndpoint(app, 'createInvitation', async (request, reply) => {
    const { userId } = getCurrentSession(request);
    return reply.status(201).send(await createUserInvitation(ctx, userId, request.body));
  });

  registerEndpoint(app, 'revokeInvitation', async (request) => {
    await revokeUserInvitation(ctx, getCurrentSession(request).userId, request.params.id);
    return { ok: true as const };
  });

  registerEndpoint(app, 'previewInvitation', async (request) =>
    previewInvitation(ctx, request.body.code),
  );

  registerEndpoint(app, 'redeemInvitation', async (request) => ({
    chatroomId: await redeemInvitation(ctx, getCurrentSession(request).userId, request.body.code),
  }));
}

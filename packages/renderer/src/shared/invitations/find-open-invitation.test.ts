import { ApiError, type ApiClient } from '@parley/client';
import type { Invitation } from '@parley/contract';
import { expect, test, vi } from 'vitest';
import { findOpenInvitation } from './find-open-invitation.ts';

const HOUR_MS = 60 * 60_000;

function invitation(id: string, hoursLeft: number, changes: Partial<Invitation> = {}): Invitation {
  const createdAt = new Date().toISOString();
  const expiresAt = new Date(Date.now() + hoursLeft * HOUR_MS).toISOString();
  return { id, code: id, isSingleUse: false, note: '', createdAt, expiresAt, ...changes };
}

const NEW = invitation('new', 7 * 24);

/** Creates an API of a user who has these invitations. */
function apiWith(invitations: readonly Invitation[], create = async (): Promise<unknown> => NEW) {
  const call = vi.fn<(name: string, options?: unknown) => Promise<unknown>>(async (name) =>
    name === 'listInvitations' ? { invitations } : create(),
  );
  return { call } as unknown as Pick<ApiClient, 'call'> & { call: typeof call };
}

test('uses the newest link for several people that is valid for another day', async () => {
  const api = apiWith([
    invitation('single', 100, { isSingleUse: true }),
    invitation('of the choir', 100, { note: 'Choir' }),
    invitation('ends soon', 23),
    invitation('valid', 25),
    invitation('older', 100),
  ]);
  expect(await findOpenInvitation(api)).toMatchObject({ invitation: { id: 'valid' } });
  expect(api.call).toHaveBeenCalledOnce();
});

test('creates a link for several people that is valid for a week otherwise', async () => {
  const api = apiWith([invitation('single', 100, { isSingleUse: true })]);
  expect(await findOpenInvitation(api)).toEqual({ status: 'ready', invitation: NEW });
  const body = { isSingleUse: false, days: 7 };
  expect(api.call).toHaveBeenLastCalledWith('createInvitation', { body });
});

test('reports that there are too many, and rejects if it fails otherwise', async () => {
  const refusal = (code: 'quota_invitations' | 'offline') => async () => {
    throw new ApiError(code, 403, '');
  };
  expect(await findOpenInvitation(apiWith([], refusal('quota_invitations')))).toEqual({
    status: 'full',
  });
  await expect(findOpenInvitation(apiWith([], refusal('offline')))).rejects.toThrow(ApiError);
});

import { ApiError, type ApiClient } from '@parley/client';
import type { Invitation } from '@parley/contract';

const DAY_MS = 24 * 60 * 60_000;
/** Days for which a new link is valid. */
const VALID_DAYS = 7;

/** The link to show, or that the user already has as many invitations as the server allows. */
export type OpenInvitation =
  | { readonly status: 'ready'; readonly invitation: Invitation }
  | { readonly status: 'full' };

/**
 * Finds the user's link for several people, and creates it if there is none that is valid for at least another day.
 * Invitations with a note have a purpose of their own.
 */
export async function findOpenInvitation(api: Pick<ApiClient, 'call'>): Promise<OpenInvitation> {
  const { invitations } = await api.call('listInvitations');
  const found = invitations.find(
    ({ isSingleUse, note, expiresAt }) =>
      !isSingleUse && note === '' && Date.parse(expiresAt) >= Date.now() + DAY_MS,
  );
  if (found) return { status: 'ready', invitation: found };
  try {
    const body = { isSingleUse: false, days: VALID_DAYS };
    return { status: 'ready', invitation: await api.call('createInvitation', { body }) };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'quota_invitations') return { status: 'full' };
    throw error;
  }
}

import { PATHS } from '../../navigation/paths.ts';

/** Returns the path of the invitation whose link a text is. Undefined for other texts and other servers. */
export function invitationPath(text: string, serverOrigin: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, pathname, hash } = new URL(text);
  const isInvitation = origin === serverOrigin && pathname === PATHS.invite && hash !== '';
  return isInvitation ? PATHS.invite + hash : undefined;
}

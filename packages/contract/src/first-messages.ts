import type { WhoMayWrite } from './schemas/index.ts';

/** Returns whether a user with this setting accepts first messages without an invitation. */
export function acceptsFirstMessages(setting: WhoMayWrite): boolean {
  return setting === 'everyone' || setting === 'requests';
}

import { localRecord } from './local-record.ts';

// The emoji picker keeps them itself, whoever is signed in.
const recent = () => localRecord<unknown>('epr_suggested', undefined, () => undefined);

/** Erases which emoji were picked lately. */
export function forgetRecentEmoji(): void {
  recent().forget();
}

import { localRecord } from './local-record.ts';

const hint = () =>
  localRecord('parley.signed-in', false, (value) => (value === true ? true : undefined));

/**
 * Whether somebody signed in here and did not sign out. The session's cookie cannot be seen, and
 * asking the server on every visit of the login would be refused most times.
 */
export function isProbablySignedIn(): boolean {
  return hint().read();
}

/** Keeps that somebody signed in here. */
export function noteSignedIn(): void {
  hint().write(true);
}

/** Keeps that nobody is signed in here any more. */
export function noteSignedOut(): void {
  hint().forget();
}

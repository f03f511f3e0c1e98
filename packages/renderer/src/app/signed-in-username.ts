import { browserStorage, localRecord } from '../browser/local-record.ts';

const KEY = 'parley.signed-in';
const usernameRecord = () =>
  localRecord<string | undefined>(KEY, undefined, (value) =>
    typeof value === 'string' ? value : undefined,
  );

/**
 * Returns the username of the user who signed in last in this browser and did not sign out. It is a hint
 * that there is a session, as scripts cannot read the session cookie. Without this hint, every visit to the
 * login page would send a request that the server rejects.
 */
export function readSignedInUsername(): string | undefined {
  return usernameRecord().read();
}

const everSignedInRecord = () =>
  localRecord<boolean>('parley.known', false, (value) => (value === true ? true : undefined));

/** Returns whether a user has ever signed in with this browser. Signing out does not reset this. */
export function hasEverSignedIn(): boolean {
  // Earlier versions stored only the username.
  return everSignedInRecord().read() || readSignedInUsername() !== undefined;
}

/** Stores the username of the user who signed in. */
export function saveSignedInUsername(username: string): void {
  usernameRecord().write(username);
  everSignedInRecord().write(true);
}

/** Removes the stored username. If `username` is given, removes it only if it is still stored. */
export function clearSignedInUsername(username?: string): void {
  if (username === undefined || readSignedInUsername() === username) usernameRecord().remove();
}

/** Calls `onChange` when a user signs in or out in another tab. */
export function watchSignedInUsername(onChange: () => void): void {
  browserStorage.onChange((key) => {
    if (key === KEY || key === null) onChange();
  });
}

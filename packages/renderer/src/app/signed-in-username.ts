import { browserStorage, localRecord } from '../browser/local-record.ts';

const KEY = 'parley.signed-in';
const hint = () =>
  localRecord<string | undefined>(KEY, undefined, (value) =>
    typeof value === 'string' ? value : undefined,
  );

/**
 * Name of whoever signed in last in this browser, in any of its tabs, and did not sign out. The
 * session's cookie cannot be seen, and asking the server on every visit of the login would be refused
 * most times.
 */
export function readSignedInUsername(): string | undefined {
  return hint().read();
}

const known = () =>
  localRecord<boolean>('parley.known', false, (value) => (value === true ? true : undefined));

/** Whether anybody ever signed in in this browser. Their name is not kept. */
export function hasEverSignedIn(): boolean {
  return known().read() || readSignedInUsername() !== undefined;
}

/** Keeps who signed in here. */
export function saveSignedInUsername(username: string): void {
  hint().write(username);
  known().write(true);
}

/** Keeps that nobody is signed in here any more; with a name, unless somebody else is by now. */
export function clearSignedInUsername(username?: string): void {
  if (username === undefined || readSignedInUsername() === username) hint().remove();
}

/** Calls back when somebody signs in or out in another tab. */
export function watchSignedInUsername(onChange: () => void): void {
  browserStorage.onChange((key) => {
    if (key === KEY || key === null) onChange();
  });
}

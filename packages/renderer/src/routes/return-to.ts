const KEY = 'parley.wanted';

/** Where a stranger wanted to go, kept in this tab through registration and login. */
export function saveReturnTo(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // A browser that keeps nothing leads to the chats instead.
  }
}

/** Where to go after login, if anywhere special. Only paths of this application come back. */
export function readReturnTo(): string | undefined {
  try {
    const path = sessionStorage.getItem(KEY);
    return path !== null && isLocalPath(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** It was reached, or is not wanted any more. */
export function clearReturnTo(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

function isLocalPath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.includes('\\');
}

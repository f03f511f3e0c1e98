const KEY = 'parley.wanted';

/** Stores the path to open after login. It stays stored while a guest registers in the same tab. */
export function saveReturnTo(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Without storage, the login leads to the chats.
  }
}

/** Returns the path to open after login, if there is one. External URLs are ignored. */
export function readReturnTo(): string | undefined {
  try {
    const path = sessionStorage.getItem(KEY);
    return path !== null && isLocalPath(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the path. Call it once the path has been opened or is no longer needed. */
export function clearReturnTo(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

function isLocalPath(path: string): boolean {
  return path.startsWith('/') && !path.startsWith('//') && !path.includes('\\');
}
